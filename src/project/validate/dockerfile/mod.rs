//! Container builds: a parser of Dockerfiles and of the shell commands in them, and the rules.

mod image;
mod install;
mod instruction;
mod parse;
mod pragma;
mod rules;
mod shell;

use tapps_base::finding::Finding;
use tapps_base::source::Source;

use super::sink::FindingSink;
pub(super) use image::Image;
pub(super) use rules::RULES;

/// What the rules say about a Dockerfile, without what its comments allow.
pub(super) fn judge_dockerfile(source: &Source) -> Vec<Finding> {
    let text = String::from_utf8_lossy(source.bytes());
    let file = parse::parse_dockerfile(&text);
    let allowed = pragma::Allowed::from_comments(&text);
    let found = FindingSink::run_checks(source, &file, rules::CHECKS);
    found.into_iter().filter(|finding| !allowed.covers(finding, &file)).collect()
}
