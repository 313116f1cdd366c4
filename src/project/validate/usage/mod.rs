//! Code that talks to WebSockets, MQTT brokers and InfluxDB: Python and scripts, read by their parsers.

mod model;
mod python;
mod rules;
mod script;

use super::kind::ConfigKind;
use super::sink::{self, FindingSink};
use model::FileCalls;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;

/// What the rules of one kind say about a file of code.
pub(super) fn judge_api_usage(source: &Source, kind: ConfigKind) -> Vec<Finding> {
    let Some(code) = read_file_calls(source) else {
        let message = "the code cannot be parsed, so it was not judged";
        return vec![sink::new_config_finding(source, &rules::syntax::RULE, sink::FileLocation::FILE, message)];
    };
    let mut found = FindingSink::run_checks(source, &code, rules::CHECKS);
    let prefix = format!("tapps:{}-", kind.as_str());
    found.retain(|finding| finding.rule.starts_with(&prefix));
    found
}

/// The calls of a file.
fn read_file_calls(source: &Source) -> Option<FileCalls> {
    match source.language()?.analyzers() {
        Analyzers::Python => python::read_python_calls(source),
        Analyzers::Script => script::read_script_calls(source),
        // The rules about the use of libraries know those of Python and scripts.
        Analyzers::Go | Analyzers::Rust | Analyzers::Java | Analyzers::C | Analyzers::Shell => None,
    }
}
