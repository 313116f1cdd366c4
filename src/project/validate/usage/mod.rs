//! Code that talks to WebSockets, MQTT brokers and InfluxDB: Python and scripts, read by their parsers.

mod model;
mod python;
mod rules;
mod script;

use super::kind::ConfigKind;
use super::sink::{self, Sink};
use model::Code;
pub(super) use rules::RULES;
use tapps_base::finding::Finding;
use tapps_base::language::Analyzers;
use tapps_base::source::Source;

/// What the rules of one kind say about a file of code.
pub(super) fn judge(source: &Source, kind: ConfigKind) -> Vec<Finding> {
    let Some(code) = read(source) else {
        let message = "the code cannot be parsed, so it was not judged";
        return vec![sink::finding(source, &rules::syntax::RULE, sink::Place::FILE, message)];
    };
    let mut found = Sink::run(source, &code, rules::CHECKS);
    let prefix = format!("tapps:{}-", kind.as_str());
    found.retain(|finding| finding.rule.starts_with(&prefix));
    found
}

/// The calls of a file.
fn read(source: &Source) -> Option<Code> {
    match source.language()?.analyzers() {
        Analyzers::Python => python::read(source),
        Analyzers::Script => script::read(source),
    }
}
