// Reads a flow chart from standard input with Mermaid's own parser and says what it found.
import { JSDOM } from "jsdom";

const page = new JSDOM("<!doctype html><body></body>");
globalThis.window = page.window;
globalThis.document = page.window.document;
const { default: mermaid } = await import("mermaid");

let text = "";
for await (const part of process.stdin) text += part;
await mermaid.parse(text);
const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(text);
// Until a label is drawn, the parser keeps its codes between marks of its own.
const NAMED = { quot: '"', lt: "<", gt: ">" };
const plain = (label) =>
  label
    .replace(/\uFB02\u00B0\u00B0(\d+)\u00B6\u00DF/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/\uFB02\u00B0(\w+)\u00B6\u00DF/g, (_, name) => NAMED[name]);
const labels = [...db.getVertices().values()].map((vertex) => plain(vertex.text));
console.log(JSON.stringify({ type, labels, edges: db.getEdges().length, groups: db.getSubGraphs().length }));
