//! What agents are told in the project's `AGENTS.md`.

/// The section; short, since it stands in every context.
pub(super) const SECTION: &str = "\
## Quality gate

This project is judged by tapps-mcp (MCP server `tapps`). The same bytes always get the same verdict.

- Begin with `tapps_server_info` and pass its `session_id` on.
- After each edit call `tapps_quick_check` with the files that changed; `blocked` has to be mended first.
- Work on a file is done when `tapps_quality_gate` says `passed: true` for it, and not before.
- Before using a library from memory call `tapps_lookup_docs`: it knows the version that is locked here.
- Before changing what others use call `tapps_impact_analysis`.
- At the end call `tapps_checklist` and do what it finds missing.

Without the server: `tapps-mcp gate FILE…`.
";
