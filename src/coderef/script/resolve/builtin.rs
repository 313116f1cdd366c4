//! Modules that the run time brings along.

const MODULES: &[&str] = &[
    "assert",
    "async_hooks",
    "buffer",
    "child_process",
    "cluster",
    "console",
    "constants",
    "crypto",
    "dgram",
    "diagnostics_channel",
    "dns",
    "domain",
    "events",
    "fs",
    "http",
    "http2",
    "https",
    "inspector",
    "module",
    "net",
    "os",
    "path",
    "perf_hooks",
    "process",
    "punycode",
    "querystring",
    "readline",
    "repl",
    "stream",
    "string_decoder",
    "sys",
    "timers",
    "tls",
    "trace_events",
    "tty",
    "url",
    "util",
    "v8",
    "vm",
    "wasi",
    "worker_threads",
    "zlib",
];

/// The module with its scheme, when it is one of the run time.
pub(super) fn builtin_module(specifier: &str) -> Option<String> {
    if ["node:", "bun:", "deno:"].iter().any(|scheme| specifier.starts_with(scheme)) {
        return Some(specifier.to_owned());
    }
    let first = specifier.split('/').next().unwrap_or(specifier);
    MODULES.binary_search(&first).is_ok().then(|| format!("node:{specifier}"))
}
