package template

import (
	"slices"
	"strings"
	"testing"
)

// rfc are the values of the examples in RFC 6570, section 3.2.
const rfc = `{"count":["one","two","three"],"dom":["example","com"],"dub":"me/too","hello":"Hello World!","half":"50%","var":"value",
	"who":"fred","base":"http://example.com/home/","path":"/foo/bar","list":["red","green","blue"],"keys":{"semi":";","dot":".","comma":","},
	"v":"6","x":"1024","y":"768","empty":"","empty_keys":[],"undef":null}`

func TestExamplesOfTheRFC(t *testing.T) {
	for _, line := range strings.Split(strings.TrimSpace(`
{count} one,two,three
{count*} one,two,three
{/count} /one,two,three
{/count*} /one/two/three
{;count} ;count=one,two,three
{;count*} ;count=one;count=two;count=three
{?count} ?count=one,two,three
{?count*} ?count=one&count=two&count=three
{&count*} &count=one&count=two&count=three
{hello} Hello%20World%21
{half} 50%25
O{empty}X OX
O{undef}X OX
{x,y} 1024,768
?{x,empty} ?1024,
?{x,undef} ?1024
{var:3} val
{var:30} value
{list} red,green,blue
{keys} semi,%3B,dot,.,comma,%2C
{keys*} semi=%3B,dot=.,comma=%2C
{+hello} Hello%20World!
{+half} 50%25
{base}index http%3A%2F%2Fexample.com%2Fhome%2Findex
{+base}index http://example.com/home/index
{+path:6}/here /foo/b/here
{+keys} semi,;,dot,.,comma,,
{+keys*} semi=;,dot=.,comma=,
{#path,x}/here #/foo/bar,1024/here
{#keys*} #semi=;,dot=.,comma=,
X{.empty_keys}Y XY
www{.dom*} www.example.com
X{.keys*} X.semi=%3B.dot=..comma=%2C
{/who,dub} /fred/me%2Ftoo
{/var,empty} /value/
{/list*,path:4} /red/green/blue/%2Ffoo
{;x,y,empty} ;x=1024;y=768;empty
{;v,empty,who} ;v=6;empty;who=fred
{;hello:5} ;hello=Hello
{;keys*} ;semi=%3B;dot=.;comma=%2C
{?x,y,empty} ?x=1024&y=768&empty=
{?x,y,undef} ?x=1024&y=768
{?keys} ?keys=semi,%3B,dot,.,comma,%2C
{?keys*} ?semi=%3B&dot=.&comma=%2C
?fixed=yes{&x} ?fixed=yes&x=1024
{&var:3} &var=val`), "\n") {
		raw, want, _ := strings.Cut(line, " ")
		if got := expand(t, raw, rfc); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

func expand(t *testing.T, raw, object string) string {
	t.Helper()
	p, err := Parse(raw)
	if err != nil {
		t.Fatal(raw, err)
	}
	got, err := p.Expand([]byte(object))
	if err != nil {
		t.Fatal(raw, err)
	}
	return got
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ template, object, uri string }{
		{"demo://city/{name}", `{"name":"São Paulo"}`, "demo://city/S%C3%A3o%20Paulo"},
		{"x:{a}", `{"a":"東\u0000"}`, "x:%E6%9D%B1%00"},
		{"x:{a:2}", `{"a":"東京都"}`, "x:%E6%9D%B1%E4%BA%AC"},
		{"x:{+a}", `{"a":"a%20b%2"}`, "x:a%20b%252"},
		{"x:{a,b}", `{"a":1.50,"b":true}`, "x:1.50,true"},
		{"x:{?a*}", `{"a":{"k":""}}`, "x:?k="},
		{"x:{;a*}", `{"a":["",""]}`, "x:;a;a"},
		{"é:{a}", `{}`, "%C3%A9:"},
	} {
		if got := expand(t, c.template, c.object); got != c.uri {
			t.Errorf("%s with %s: %s, want %s", c.template, c.object, got, c.uri)
		}
	}
	for _, c := range [][2]string{{"{a:1}", `{"a":["x"]}`}, {"{a}", `{"a":[["x"]]}`}, {"{a}", `{"a":{"k":{}}}`}} {
		p, err := Parse(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.Expand([]byte(c[1])); err == nil {
			t.Errorf("%s with %s: %s, and no error", c[0], c[1], got)
		}
	}
}

func TestParse(t *testing.T) {
	for _, bad := range []string{"x:{a", "x:{}", "x:{a b}", "x:{a:0}", "x:}", strings.Repeat("{a}", maxTemplate)} {
		if _, err := Parse(bad); err == nil {
			t.Errorf("%.20s: no error", bad)
		}
	}
	p, err := Parse("x:{/a,b:3}{?c*,a*}")
	if want := []Variable{{"a", true}, {"b", false}, {"c", true}}; err != nil || !slices.Equal(p.Variables(), want) {
		t.Error(p.Variables(), err)
	}
}

func TestFits(t *testing.T) {
	p, err := Parse("demo://city/{name}")
	if err != nil {
		t.Fatal(err)
	}
	for uri, want := range map[string]bool{"demo://city/Bern": true, "demo://city/K%C5%8D": true, "demo://town/Bern": false, "demo://city/a/b": false, "demo://city/" + strings.Repeat("a", maxURI): false} {
		if p.Fits(uri) != want {
			t.Errorf("%.40s: %v", uri, !want)
		}
	}
	many, err := Parse("x:{" + strings.TrimSuffix(strings.Repeat("a,", 1500), ",") + "}")
	if err != nil || many.Fits("x:1") {
		t.Error("a pattern of very many variables cannot be compiled:", err)
	}
}

func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"a{b}", "{?x*,y:3}", "{+a}{#b*}", "{", "{a", "%zz{é}"} {
		f.Add(s, `{"a":["x"],"b":{"k":"v"},"x":"y"}`)
	}
	f.Fuzz(func(t *testing.T, raw, object string) {
		p, err := Parse(raw)
		if err != nil {
			return
		}
		p.Variables()
		uri, err := p.Expand([]byte(object))
		if err != nil {
			return
		}
		p.Fits(uri)
		for i := range len(uri) {
			if c := uri[i]; c <= ' ' || c >= 0x7f {
				t.Fatalf("%q holds %q", uri, c)
			}
		}
	})
}
