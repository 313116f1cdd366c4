// Says as JSON what published packages make of files that were written: node read.mjs NODE_MODULES CLINE GOOSE CONTINUE DESKTOP

import { readFileSync } from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

const [modules, cline, goose, ...likeDesktop] = process.argv.slice(2)
const load = (file) => import(pathToFileURL(path.join(modules, file)).href)

const vscode = await load(
  "@codingame/monaco-vscode-api/vscode/src/vs/workbench/contrib/mcp/common/mcpConfiguration.js",
)
const { claudeDesktopLikeConfigFileSchema } = await load("@continuedev/config-yaml/dist/schemas/mcp/json.js")
const { resolveMcpServerRegistrations } = await load("@cline/core/dist/index.js")
const { parse } = await load("yaml/dist/index.js").then((yaml) => yaml.default)
const { MCPConfigRegistry } = await load("@gleanwork/mcp-config-schema/dist/index.js")

const registry = new MCPConfigRegistry()
const described = registry.getAllConfigs().map((client) => ({
  id: client.id,
  file: client.configPath?.linux,
  servers: client.configStructure?.serversPropertyName,
  stdio: client.configStructure?.stdioPropertyMapping,
}))
const read = (file) => claudeDesktopLikeConfigFileSchema.safeParse(JSON.parse(readFileSync(file, "utf8")))

console.log(
  JSON.stringify({
    vscode: vscode.mcpServerSchema,
    continue: likeDesktop.map(read),
    goose: parse(readFileSync(goose, "utf8")),
    cline: resolveMcpServerRegistrations({ filePath: cline }),
    described,
  }),
)
process.exit(0)
