package replay

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"example.com/mcpinspect/session"
	"example.com/mcpinspect/session/script"
)

// TestOnly: a part of a script takes with it what its messages cannot do without, and says so.
func TestOnly(t *testing.T) {
	s, err := scriptOf(file(t, spoken))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		pick  string // title and row of what is chosen
		want  string // rows of what is sent
		needs string
	}{
		{"tools/list 4", "4", ""},
		{"tools/list 6", "4 6", "#4 tools/list is sent, too: #6 needs the cursor of its answer"},
		{"tools/call a 8", "8 11", "#11 answer to elicitation/create is sent, too: the server asks for elicitation/create while it works on #8"},
		{"answer to elicitation/create 11", "8 11", "#8 tools/call a is sent, too: the server asks for elicitation/create because of it, which #11 answers"},
		{"notifications/cancelled 14", "13 14", "#13 tools/call long is sent, too: #14 cancels it"},
		{"ping 15", "15", ""},
		{"nothing", "", ""},
	} {
		part, needs, chosen := Only(s, func(x *script.Turn) bool { return fmt.Sprint(x.Title(), " ", x.Seq) == c.pick })
		var rows, said []string
		for _, x := range Turns(part) {
			rows = append(rows, fmt.Sprint(x.Seq))
		}
		for _, n := range needs {
			said = append(said, n.String())
		}
		if strings.Join(rows, " ") != c.want || strings.Join(said, "\n") != c.needs || (chosen == 0) != (c.want == "") {
			t.Errorf("%s: rows %v, %d chosen, needs %q", c.pick, rows, chosen, said)
		}
		if len(part.Turns)-len(Turns(part)) != 2 {
			t.Errorf("%s: the opening is not there", c.pick)
		}
	}
	lost, err := scriptOf(file(t, opened+`
	> {"jsonrpc":"2.0","id":3,"method":"tools/list","params":{"cursor":"c1"}}
	< {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
	> {"jsonrpc":"2.0","id":4,"method":"ping"}
	exit 3 no
`))
	if err != nil {
		t.Fatal(err)
	}
	part, needs, _ := Only(lost, func(x *script.Turn) bool { return x.ID == "3" })
	if len(needs) != 1 || needs[0].String() != "#4 tools/list is sent as it was: no recorded answer gave its cursor" || part.Exit != nil {
		t.Errorf("needs %v, exit %v", needs, part.Exit)
	}
	if part, _, _ = Only(lost, func(x *script.Turn) bool { return x.ID == "4" }); part.Exit == nil {
		t.Error("the end that came upon what is sent is not expected")
	}
}

// TestOnlyAPartIsReplayed: what was not chosen is neither sent nor missed.
func TestOnlyAPartIsReplayed(t *testing.T) {
	recorded := file(t, spoken)
	whole, err := scriptOf(recorded)
	if err != nil {
		t.Fatal(err)
	}
	part, _, _ := Only(whole, func(x *script.Turn) bool { return x.Name == "a" })
	report, live, err := againstScript(t, part, recorded, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := json.Marshal(report); string(got) != `{"compared":2,"same":2,"different":[],"missing":[],"unmatched":[]}` {
		t.Errorf("%s\n%s", got, rows(live))
	}
}

// TestLearn: what differs between two runs is found, and no longer counts; what is different in both
// from the recording does.
func TestLearn(t *testing.T) {
	said := func(time, sum string) []byte {
		return file(t, opened+`
	> {"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"a"}}
	< {"jsonrpc":"2.0","id":4,"result":{"time":`+time+`,"sum":`+sum+`}}
	> {"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"b"}}
	< {"jsonrpc":"2.0","id":5,"result":{"time":1}}
	exit 0 stdin-closed
`)
	}
	recorded := said("1", "5")
	s, err := scriptOf(recorded)
	if err != nil {
		t.Fatal(err)
	}
	one, _, err := againstScript(t, s, said("2", "6"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	two, _, err := againstScript(t, s, said("3", "6"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := Learn(s, one, two)
	if want := (session.Volatile{Method: "tools/call", Name: "a", Path: "/result/time"}); len(found) != 1 || found[0] != want {
		t.Fatalf("learned %v", found)
	}
	two.Forgive(s, Options{Volatile: found})
	if got, _ := json.Marshal(two); string(got) != `{"compared":3,"same":2,"different":[{"seq":4,"method":"tools/call","path":"/result/sum","was":5,"now":6}],"missing":[],"unmatched":[]}` {
		t.Errorf("%s", got)
	}
	if three, _, err := againstScript(t, s, said("9", "5"), Options{Volatile: found}); err != nil || !three.Clean() || three.Same != 3 {
		t.Errorf("%+v, %v", three, err)
	}
}

// TestPingsAreNotSent: what is announced is what is sent, and the connection answers pings by itself.
func TestPingsAreNotSent(t *testing.T) {
	s, err := scriptOf(file(t, opened+`
	< {"jsonrpc":"2.0","id":"p","method":"ping"}
	> {"jsonrpc":"2.0","id":"p","result":{}}
	> {"jsonrpc":"2.0","id":3,"method":"tools/list"}
	< {"jsonrpc":"2.0","id":3,"result":{"tools":[]}}
	`))
	if err != nil {
		t.Fatal(err)
	}
	if got := Plan(Turns(s)); got != "1 message, tools/list" {
		t.Error(got)
	}
	part, _, chosen := Only(s, func(*script.Turn) bool { return true })
	if got := Plan(Turns(part)); got != "1 message, tools/list" || chosen != 1 || len(part.Turns) != 3 {
		t.Errorf("%s, %d chosen of %d", got, chosen, len(part.Turns))
	}
}
