// Drives a server over standard streams with a TypeScript client and prints what it saw as one JSON object.
//
// usage: script_client.mjs v1|v2 MODE PLAN COMMAND [ARGUMENT...]
// MODE is auto, legacy or a protocol version (v2 only); PLAN is a JSON object, see mcp_acceptance.rs.

const [generation, mode, planText, command, ...args] = process.argv.slice(2);
const plan = JSON.parse(planText);

async function connect() {
  const info = { name: "acceptance", version: "0.0.0" };
  if (generation === "v1") {
    const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = await import("@modelcontextprotocol/sdk/client/stdio.js");
    const client = new Client(info);
    const transport = new StdioClientTransport({ command, args });
    let version;
    transport.setProtocolVersion = (agreed) => (version = agreed);
    await client.connect(transport);
    return [client, () => version ?? "2025-11-25"];
  }
  const { Client } = await import("@modelcontextprotocol/client");
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio");
  const negotiation = mode === "auto" || mode === "legacy" ? mode : { pin: mode };
  const client = new Client(info, { versionNegotiation: { mode: negotiation } });
  await client.connect(new StdioClientTransport({ command, args }));
  return [client, () => client.getNegotiatedProtocolVersion()];
}

const [client, version] = await connect();

function call(request, options) {
  return generation === "v1" ? client.callTool(request, undefined, options) : client.callTool(request, options);
}

function shown(result) {
  return { isError: result.isError ?? false, structured: result.structuredContent, text: result.content[0].text };
}

async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    return { code: error.code, data: error.data ?? null };
  }
  return null;
}

const seen = { version: version(), server: client.getServerVersion().name };
seen.tools = (await client.listTools()).tools.map((tool) => tool.name);
seen.call = shown(await call(plan.call));
seen.bad = shown(await call(plan.bad));
seen.unknown = await refusal(call({ name: "no_such_tool", arguments: {} }));
if (plan.cancel) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 500);
  seen.cancelled = (await refusal(call(plan.cancel, { signal: controller.signal }))) !== null;
  await new Promise((resolve) => setTimeout(resolve, 300));
  seen.after_cancel = shown(await call(plan.after_cancel));
}
if (plan.panic) {
  seen.panic = shown(await call(plan.panic));
  seen.after_panic = shown(await call(plan.call));
}
if (plan.progress) {
  seen.progress = [];
  const onprogress = ({ progress, total, message }) => seen.progress.push([progress, total, message]);
  await call(plan.progress, { onprogress });
}
const resource = (await client.readResource({ uri: plan.resource })).contents[0];
seen.resource = { mimeType: resource.mimeType, text: resource.text };
seen.missing = await refusal(client.readResource({ uri: "tapps://no-such-resource" }));
seen.prompt = (await client.getPrompt(plan.prompt)).messages[0].content.text;
await client.close();
process.stdout.write(`${JSON.stringify(seen)}\n`);
