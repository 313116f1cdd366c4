//! Hooks that call this program: is what they start there?

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use super::super::client::McpClient;
use super::super::document::{self, json};
use super::super::hook_module::read_hook_module;
use super::super::launch::first_word_of_shell;
use super::super::target::SetupFileLocation;
use super::report::Finding;
use super::{Patient, finding_from_error};
use tapps_base::Result;
use tapps_tdd::hook::{HookClient, HookForm};

/// A finding about each file with hooks of this program, under the identifier of its check.
pub(super) fn check_client_hooks(patient: &Patient) -> Vec<(String, Finding)> {
    let with_hooks = McpClient::ALL.into_iter().filter_map(|client| Some((client, client.client_info().hooks?)));
    let checked = with_hooks.filter_map(|(client, hooks)| {
        let finding = match started_programs(patient, hooks) {
            Ok(programs) if programs.is_empty() => return None,
            Ok(programs) => check_programs(client, hooks.settings_file(), &programs),
            Err(error) => finding_from_error(&error),
        };
        Some((format!("clients.{client}.hooks"), finding))
    });
    checked.collect()
}

fn check_programs(client: McpClient, file: &str, programs: &BTreeSet<String>) -> Finding {
    let is_there = |program: &str| match Path::new(program).components().count() {
        1 => which::which(program).is_ok(),
        _ => Path::new(program).is_file(),
    };
    match programs.iter().find(|program| !is_there(program)) {
        None => Finding::ok(format!("the hooks in {file} start programs that are there")),
        Some(gone) => Finding::failed(
            format!("a hook in {file} starts {gone}, which is not there"),
            format!("run `tapps-mcp init --client {client} --hooks`"),
        ),
    }
}

/// What the hooks of this program start in a settings file.
fn started_programs(patient: &Patient, hooks: HookClient) -> Result<BTreeSet<String>> {
    let Ok(boundary) = &patient.boundary else { return Ok(BTreeSet::new()) };
    let file = SetupFileLocation::Project(hooks.settings_file().to_owned());
    let Some(bytes) = file.read(boundary)? else { return Ok(BTreeSet::new()) };
    let name = file.to_string();
    let text = document::decode_document_text(&name, &bytes)?;
    let read = match hooks.hook_form() {
        HookForm::Entries => json::read_json_value(text, &name)?,
        HookForm::Module => read_hook_module(text).unwrap_or_default(),
    };
    let mut programs = BTreeSet::new();
    collect_programs(&read, &hooks.hook_marks(), &mut programs);
    Ok(programs)
}

fn collect_programs(entry: &Value, marks: &[String], programs: &mut BTreeSet<String>) {
    match entry {
        Value::String(line) if marks.iter().any(|mark| line.contains(mark.as_str())) => {
            programs.extend(first_word_of_shell(line));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_programs(item, marks, programs)),
        Value::Object(entries) => entries.values().for_each(|value| collect_programs(value, marks, programs)),
        _ => {}
    }
}
