package session

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/mcpinspect/client"
)

// authority signs certificates for the tests.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	file string // its certificate in PEM form
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{file: filepath.Join(t.TempDir(), "ca.pem")}
	made := a.sign(t, &x509.Certificate{Subject: pkix.Name{CommonName: "Test Authority"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	a.cert, a.key = made.Leaf, made.PrivateKey.(*ecdsa.PrivateKey)
	if err := os.WriteFile(a.file, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return a
}

// sign makes a certificate; an authority without one of its own lets it sign itself.
func (a *authority) sign(t *testing.T, form *x509.Certificate) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	form.SerialNumber = big.NewInt(1)
	parent, by := a.cert, a.key
	if parent == nil {
		parent, by = form, key
	}
	der, err := x509.CreateCertificate(rand.Reader, form, parent, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key, Leaf: leaf}
}

func TestCertificates(t *testing.T) {
	ca := newAuthority(t)
	now := time.Now()
	here := []net.IP{net.IPv4(127, 0, 0, 1)}
	good := x509.Certificate{IPAddresses: here, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(time.Hour)}
	for name, c := range map[string]struct {
		form    x509.Certificate
		by      *authority
		ask     tls.ClientAuthType
		most    uint16
		address client.Address
		want    []string // of error and hint; nil for a session
	}{
		"trusted":         {good, ca, 0, 0, client.Address{CAFile: ca.file}, nil},
		"unknown":         {good, ca, 0, 0, client.Address{}, []string{`signed by "CN=Test Authority", which is not trusted here`, "--ca-file FILE", "--insecure"}},
		"unchecked":       {good, ca, 0, 0, client.Address{Insecure: true}, nil},
		"by itself":       {good, &authority{}, 0, 0, client.Address{CAFile: ca.file}, []string{"signed by itself", "--ca-file FILE"}},
		"expired":         {x509.Certificate{IPAddresses: here, NotAfter: now.Add(-time.Hour)}, ca, 0, 0, client.Address{CAFile: ca.file}, []string{"has expired: it was valid until 2", "needs a new one"}},
		"of tomorrow":     {x509.Certificate{IPAddresses: here, NotBefore: now.Add(time.Hour), NotAfter: now.Add(2 * time.Hour)}, ca, 0, 0, client.Address{CAFile: ca.file}, []string{"is valid from 2", "clock"}},
		"another name":    {x509.Certificate{DNSNames: []string{"a.test", "b\x1b.test"}, NotAfter: now.Add(time.Hour)}, ca, 0, 0, client.Address{CAFile: ca.file}, []string{`is for a.test, b\u001b.test, and not for 127.0.0.1`, "to use a name that it is for"}},
		"asks for ours":   {good, ca, tls.RequireAnyClientCert, 0, client.Address{CAFile: ca.file}, []string{"asks for a certificate of its client", "a proxy"}},
		"old versions":    {good, ca, 0, tls.VersionTLS11, client.Address{CAFile: ca.file}, []string{"no version of TLS from 1.2 on"}},
		"expired, unseen": {x509.Certificate{DNSNames: []string{"a.test"}, NotAfter: now.Add(-time.Hour)}, ca, 0, 0, client.Address{Insecure: true}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			web := httptest.NewUnstartedServer(&webServer{answers: map[string]http.HandlerFunc{client.MethodDiscover: modernDiscover}})
			web.Config.ErrorLog = log.New(io.Discard, "", 0)
			web.TLS = &tls.Config{Certificates: []tls.Certificate{c.by.sign(t, &c.form)}, ClientAuth: c.ask, MinVersion: tls.VersionTLS10, MaxVersion: c.most}
			web.StartTLS()
			defer web.Close()
			c.address.URL = web.URL
			reached(t, c.address, c.want, func(s *Session) {
				loud := 0
				s.Log().Each(0, func(e Event) bool {
					if e.Note != nil && e.Note.What == client.NoteWarning && strings.Contains(e.Note.Text, "--insecure: ") {
						loud++
					}
					return true
				})
				if (loud == 1) != c.address.Insecure {
					t.Errorf("%d warnings that nothing is checked", loud)
				}
			})
		})
	}
}

// TestSchemes are the two ways to take a port for what it is not.
func TestSchemes(t *testing.T) {
	s := &webServer{answers: map[string]http.HandlerFunc{client.MethodDiscover: modernDiscover}}
	plain := httptest.NewServer(s)
	defer plain.Close()
	reached(t, client.Address{URL: strings.Replace(plain.URL, "http:", "https:", 1)}, []string{"speaks HTTP without TLS", "http:// in place of https://"}, nil)
	secure := httptest.NewUnstartedServer(s)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	reached(t, client.Address{URL: strings.Replace(secure.URL, "https:", "http:", 1)}, []string{"server/discover", "400 Bad Request", "https:// in place of http://"}, nil)
}

// reached connects, and looks for the wanted texts in what the session says of its failure.
func reached(t *testing.T, at client.Address, want []string, then func(*Session)) {
	t.Helper()
	s := New(Target{Address: at}, Options{Start: time.Now(), Limits: client.Limits{Idle: 20 * time.Second}})
	defer s.Close()
	err := s.Connect(t.Context())
	if want == nil {
		if err != nil {
			t.Fatal(err)
		}
		then(s)
		return
	}
	var web *client.HTTPError
	if !errors.As(err, &web) {
		t.Fatalf("it ended with %v", err)
	}
	for _, part := range want {
		if text := s.Snapshot().Reason; !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
}
