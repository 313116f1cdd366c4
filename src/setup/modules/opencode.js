// OpenCode loads this module. `tapps-mcp init --client opencode --hooks` writes it anew, `--hooks=off` removes it.
// A hook that fails stops nothing: the edit goes on, and the reason is shown.

import { spawn } from "node:child_process"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { isMainThread } from "node:worker_threads"

const EDITING = new Set(["write", "edit", "multiedit", "patch", "apply_patch"])
const PATCHED = /^(\*\*\* (?:Add File|Update File|Delete File|Move to): )(.+)$/gm
const PATIENCE = 120_000

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..")

// For a turn that goes on, `opencode run` opens a second instance beside the one that it closes: both share this.
const shared = (globalThis[Symbol.for(`tapps-mcp ${root}`)] ??= {
  sessions: new Map(),
  waiting: new Set(),
  told: new Set(),
})

// Always has an answer: code 2 is a refusal, any other one but 0 a failure.
function run(event, request) {
  return start(event, request).catch((error) => ({ code: 1, stdout: "", stderr: String(error) }))
}

function start(event, request) {
  return new Promise((resolve) => {
    const answer = { code: 1, stdout: "", stderr: "" }
    const line = HOOKS[event]?.[0]?.command
    if (!line) return resolve({ ...answer, code: 0 })
    const child = spawn(line, { cwd: root, shell: true, stdio: "pipe" })
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE)
    const end = (code) => {
      clearTimeout(timer)
      resolve({ ...answer, code })
    }
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => (answer[name] += text))
    }
    child.on("error", (error) => {
      answer.stderr += error.message
      end(1)
    })
    child.on("close", (code) => end(code ?? 1))
    // A program that does not read its input may be gone by now.
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ cwd: root, ...request }))
  })
}

function read(text) {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

export const TappsMcp = async ({ client, directory }) => {
  // In the terminal's own interface this runs on another thread, and what is written there would spoil the screen.
  const tell = (text) => {
    const words = text.trim()
    if (!words) return
    const message = words.startsWith("tapps-mcp: ") ? words : `tapps-mcp: ${words}`
    if (isMainThread) console.error(message)
    client.tui.showToast({ body: { message, variant: "warning" } }).catch(() => {})
    client.app.log({ body: { service: "tapps-mcp", level: "warn", message } }).catch(() => {})
  }

  // Once: what fails would otherwise be told at every edit.
  const tellFailure = ({ code, stderr }, what) => {
    const text = stderr.trim() || `${what} ended with code ${code}`
    if (code === 0 || shared.told.has(text)) return
    shared.told.add(text)
    tell(text)
  }

  const edit = (tool, session, args) => {
    const input = { ...args }
    const whole = (file) => path.resolve(directory, file.trim())
    if (typeof input.filePath === "string") input.filePath = whole(input.filePath)
    if (typeof input.patchText === "string") {
      input.patchText = input.patchText.replace(PATCHED, (_, head, file) => head + whole(file))
    }
    return { session_id: session, tool_name: tool, tool_input: input }
  }

  // What a session has started itself is judged with it. One that cannot be looked up is judged for itself.
  const open = async (id) => {
    const { data } = await client.session.get({ path: { id } }).catch(() => ({}))
    return data?.parentID ? undefined : { turn: 0, judged: 0, status: "completed", sentOn: false }
  }

  const begin = async (id) => {
    const answer = await run("chat.message", { session_id: id, hook_event_name: "SessionStart" })
    tellFailure(answer, "the hook at the beginning of a session")
    return read(answer.stdout).hookSpecificOutput?.additionalContext
  }

  const judge = async (id) => {
    const session = await shared.sessions.get(id)
    if (!session || session.judged === session.turn) return
    const turn = (session.judged = session.turn)
    const { status, sentOn } = session
    const request = { session_id: id, hook_event_name: "Stop", stop_hook_active: sentOn, status }
    const answer = await run("session.idle", request)
    const said = read(answer.stdout)
    if (said.decision !== "block") {
      tell(said.systemMessage ?? "")
      return tellFailure(answer, "the hook at the end of a turn")
    }
    // The user was faster; that turn will be judged.
    if (session.turn !== turn) return
    session.reason = said.reason
    const { agent, model, variant } = session
    const parts = [{ type: "text", text: said.reason }]
    const { error } = await client.session.prompt({ path: { id }, body: { agent, model, variant, parts } })
    if (error) tell(said.reason)
  }

  return {
    "tool.execute.before": async ({ tool, sessionID }, { args }) => {
      if (!EDITING.has(tool)) return
      const answer = await run("tool.execute.before", edit(tool, sessionID, args))
      if (answer.code === 2) throw new Error(answer.stderr.trim())
      tellFailure(answer, "the guard before an edit")
    },

    "tool.execute.after": async ({ tool, sessionID, args }, output) => {
      if (!EDITING.has(tool)) return
      const answer = await run("tool.execute.after", edit(tool, sessionID, args))
      if (answer.code === 2) output.output = `${output.output ?? ""}\n\n${answer.stderr.trim()}`
      else tellFailure(answer, "the check after an edit")
    },

    "chat.message": async ({ sessionID, agent, model, variant }, { message, parts }) => {
      if (!shared.sessions.has(sessionID)) shared.sessions.set(sessionID, open(sessionID))
      const session = await shared.sessions.get(sessionID)
      if (!session) return
      const text = parts.filter((part) => part.type === "text").map((part) => part.text)
      session.sentOn = session.reason !== undefined && text.join("\n") === session.reason
      session.agent = agent ?? message.agent
      session.model = model ?? (message.model && { providerID: message.model.providerID, modelID: message.model.modelID })
      session.variant = variant ?? message.model?.variant
      session.status = "completed"
      session.turn += 1
      session.brief = await (session.begun ??= begin(sessionID))
    },

    "experimental.chat.system.transform": async ({ sessionID }, { system }) => {
      const session = await shared.sessions.get(sessionID)
      if (session?.brief) system.push(session.brief)
    },

    event: async ({ event }) => {
      const id = event.properties?.sessionID
      if (event.type === "session.deleted") shared.sessions.delete(event.properties.info?.id ?? id)
      if (event.type === "session.error") {
        const session = await shared.sessions.get(id)
        if (session) session.status = "error"
      }
      if (event.type !== "session.idle") return
      const work = judge(id).catch((error) => tell(String(error)))
      shared.waiting.add(work)
      work.finally(() => shared.waiting.delete(work))
    },

    // `opencode run` leaves as soon as a session is idle: it has to wait for the verdict, and for the turn that follows.
    dispose: async () => {
      while (shared.waiting.size > 0) await Promise.all(shared.waiting)
    },
  }
}
