// Drives mcpinspect through one scenario of the official conformance suite, as its client: the suite
// starts this with the address of its server as the last word and the scenario in the environment.
// MCPINSPECT names the program. It ends in the worst status of what it ran.
import { spawnSync } from "node:child_process";

const scenario = process.env.MCP_CONFORMANCE_SCENARIO;
const url = process.argv.at(-1);
let status = 0;

// mcpinspect runs one command line and returns what it printed. want are the statuses that are right.
function mcpinspect(words, { input, want = [0] } = {}) {
  const ran = spawnSync(process.env.MCPINSPECT, [...words, url], { input, encoding: "utf8" });
  process.stdout.write(`$ mcpinspect ${words.join(" ")}\n${ran.stdout}`);
  process.stderr.write(ran.stderr);
  if (!want.includes(ran.status)) status = Math.max(status, ran.status ?? 70);
  return ran.stdout;
}

// steps runs many steps on one connection.
const steps = (lines, ...flags) => mcpinspect(["run", "-", ...flags], { input: lines.join("\n") });

const tools = () => JSON.parse(mcpinspect(["list", "tools", "--json"])).tools;

const call = (name, args) => `call ${quote(name)} ${quote(JSON.stringify(args))}`;

// quote writes a word of a step.
const quote = (s) => `'${s.replaceAll("'", `'\\''`)}'`;

const scenarios = {
  initialize: () => mcpinspect(["discover"]),
  tools_call: () => mcpinspect(["call", "add_numbers", "a=5", "b=3"]),
  "elicitation-sep1034-client-defaults": () => mcpinspect(["call", "test_client_elicitation_defaults", "--answer", "accept"]),
  "sse-retry": () => mcpinspect(["call", "test_reconnection"]),
  "request-metadata": () => mcpinspect(["list", "tools"]),
  "sep-2322-client-request-state": () => {
    const names = ["echo_state", "no_state", "unrelated", "no_result_type"];
    steps(names.map((name) => call(`test_mrtr_${name}`, {})), "--answer", "accept");
  },
  "http-standard-headers": () =>
    steps(["list tools", "list resources", "list prompts", call("test_headers", {}), "read file:///path/to/file%20name.txt", "prompt test_prompt"]),
  "http-custom-headers": () => {
    const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT);
    // One of its calls says null where the schema wants a boolean.
    steps(context.toolCalls.map((c) => call(c.name, c.arguments)), "--unchecked");
  },
  "http-invalid-tool-headers": () => {
    for (const tool of tools()) {
      const args = Object.fromEntries(tool.inputSchema.required.map((name) => [name, "x"]));
      const unlisted = tool.name !== "valid_tool";
      mcpinspect(["call", tool.name, JSON.stringify(args)], { want: [unlisted ? 6 : 0] });
    }
  },
  "json-schema-ref-no-deref": () => {
    for (const tool of tools()) mcpinspect(["describe", tool.name]);
  },
  "json-schema-2020-12-preservation": () => {
    const focal = tools().find((tool) => tool.name !== "json_schema_echo");
    mcpinspect(["call", "json_schema_echo", JSON.stringify({ schema: focal.inputSchema })]);
  },
};

if (process.argv.includes("--list")) {
  console.log(Object.keys(scenarios).join("\n"));
} else {
  scenarios[scenario]();
}
process.exit(status);
