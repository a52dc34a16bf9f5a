#!/usr/bin/env bash
# Plays the client scenarios of the official conformance suite against mcpinspect: run.sh [SCENARIO...].
# The suite and the Node that it needs come from npm into a scratch folder. Where they cannot be had
# this says so and ends well; MCP_CONFORMANCE names a folder where they are installed already.
set -u -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
suite=@modelcontextprotocol/conformance@0.2.0-alpha.12
node=node@22

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
at=${MCP_CONFORMANCE:-$scratch}
if [ ! -x "$at/node_modules/.bin/conformance" ]; then
  command -v npm >/dev/null || { echo "SKIPPED: there is no npm"; exit 0; }
  (cd "$at" && npm init -y >/dev/null && timeout 180 npm install --no-audit --no-fund "$suite" "$node") >"$scratch/npm.log" 2>&1 ||
    { echo "SKIPPED: $suite cannot be installed: $(tail -n 1 "$scratch/npm.log")"; exit 0; }
fi
export PATH="$at/node_modules/.bin:$PATH"
node -e 'process.exit(parseInt(process.versions.node) < 22 ? 1 : 0)' || { echo "SKIPPED: the suite needs Node 22, this is $(node --version)"; exit 0; }

export MCPINSPECT="$scratch/mcpinspect" XDG_STATE_HOME="$scratch/state"
(cd "$here/../.." && go build -o "$MCPINSPECT" .) || exit 1

# play plays one scenario. The suite's own limits are times, so that a busy machine gets a second go.
play() {
  local once="timeout 60 conformance client --command \"node $here/drive.mjs\" --scenario $1 -o $scratch/results"
  eval "$once" >"$2" 2>&1 || { rm -rf "$scratch"/results/"$1"-*; eval "$once" >"$2" 2>&1; }
}

failed=0
[ $# -gt 0 ] || set -- $(node "$here/drive.mjs" --list)
for scenario; do
  log="$scratch/$scenario.log"
  if play "$scenario" "$log"; then
    echo "$scenario: $(grep -m1 '^Passed:' "$log")"
  else
    failed=1
    echo "$scenario: FAILED"
    grep -A99 '^Test Results:' "$log"
    cat "$scratch"/results/"$scenario"-*/std*.txt 2>/dev/null
  fi
done
exit $failed
