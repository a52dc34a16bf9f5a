package programs

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

func TestBuild(t *testing.T) {
	player := Build(t, "testdata/player")
	before, err := os.Stat(player)
	if err != nil || !filepath.IsAbs(player) {
		t.Fatalf("%s: %v", player, err)
	}
	var wait sync.WaitGroup
	for range 2 { // as two processes would
		wait.Go(func() {
			if again, err := build("testdata/player"); again != player || err != nil {
				t.Errorf("%s: %v", again, err)
			}
		})
	}
	wait.Wait()
	if after, err := os.Stat(player); err != nil || !os.SameFile(before, after) {
		t.Errorf("built again although it was up to date: %v", err)
	}
	if out, err := exec.Command(player, "-check", Scenario(t, "dual-era-server")).CombinedOutput(); err != nil {
		t.Errorf("%v %s", err, out)
	}
	if _, err := build("testdata/nothing"); err == nil {
		t.Error("built what is not there")
	}
}
