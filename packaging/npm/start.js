"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const path = require("node:path");

const SIGNALS = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGUSR1", "SIGUSR2"];

function find(name) {
  const platform = `@tapps-mcp/${process.platform}-${process.arch}`;
  try {
    return path.join(path.dirname(require.resolve(`${platform}/package.json`)), "bin", name);
  } catch {
    process.stderr.write(
      `${name}: ${platform} is not installed. Either npm was told to leave optional dependencies out, ` +
        "or there are no programs for this kind of machine.\n",
    );
    return process.exit(1);
  }
}

/** Becomes the program, as far as Node can: same streams, same signals, same end. */
module.exports = function start(name) {
  const file = find(name);
  let program;
  // Before the program is there: a signal in between would end Node and leave the program alone.
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      // What is typed at a terminal reaches the program without help; twice would tell it to hurry.
      const typed = process.stdin.isTTY && (signal === "SIGINT" || signal === "SIGQUIT");
      if (!typed) program.kill(signal);
    });
  }
  program = spawn(file, process.argv.slice(2), { stdio: "inherit" });
  program.on("error", (fault) => {
    process.stderr.write(`${name}: ${fault.message}\n`);
    process.exitCode = 1;
  });
  program.on("exit", (code, signal) => {
    if (signal === null) {
      process.exitCode = code;
      return;
    }
    for (const each of SIGNALS) process.removeAllListeners(each);
    process.kill(process.pid, signal);
    // Where that signal does not end Node, a shell's number for it does.
    setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
  });
};
