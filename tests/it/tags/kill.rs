//! A hundred kills in the middle of a batch: every note is wholly old or wholly new, and the batch can be finished.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::vault::Vault;

const KILLS: usize = 100;
const NOTES: usize = 40;

fn note(number: usize, first: &str, second: &str) -> String {
    format!("---\ntags: [{first}, keep, {second}]\n---\n#{first} {number} {}\n#{second}\n", "words ".repeat(200))
}

fn program(vault: &Vault, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tapps-mcp"));
    command.args(["tags"]).args(arguments).current_dir(vault.0.path()).env_remove("TAPPS_MCP_PROJECT_ROOT");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts the swap and kills it some time after its journal has appeared.
fn kill_in_the_middle(vault: &Vault, wait: Duration) {
    let journal = vault.at(".tapps-mcp/tags-batch.json");
    let mut child = program(vault, &["replace", "one=two", "two=one", "--write"]).spawn().unwrap();
    let begun = Instant::now();
    while !journal.exists() && child.try_wait().unwrap().is_none() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_micros(200));
    }
    std::thread::sleep(wait);
    child.kill().ok();
    child.wait().unwrap();
}

/// How many notes are new; panics when one is neither old nor new.
fn new_notes(vault: &Vault, old: &[String], new: &[String]) -> usize {
    let state = |number: usize| {
        let text = vault.text(&path(number));
        assert!(text == old[number] || text == new[number], "note {number} is neither old nor new: {text:?}");
        usize::from(text == new[number])
    };
    (0..NOTES).map(state).sum()
}

fn path(number: usize) -> String {
    format!("f{}/n{number}.md", number % 4)
}

fn leftovers(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let count = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => leftovers(&entry.path()),
        false => usize::from(entry.file_name().to_str().unwrap().starts_with(".tapps-tmp-")),
    };
    entries.map(count).sum()
}

#[test]
fn every_note_is_old_or_new_and_the_batch_can_be_finished() {
    let mut old: Vec<String> = (0..NOTES).map(|number| note(number, "one", "two")).collect();
    let mut new: Vec<String> = (0..NOTES).map(|number| note(number, "two", "one")).collect();
    let vault = Vault::new(&[]);
    for (number, text) in old.iter().enumerate() {
        vault.write(&path(number), text);
    }
    let mut in_the_middle = 0;
    for kill in 0..KILLS {
        // Spread over the time that a whole batch takes.
        kill_in_the_middle(&vault, Duration::from_micros((kill as u64 * 7919) % 60_000));
        let done = new_notes(&vault, &old, &new);
        in_the_middle += usize::from(done > 0 && done < NOTES);
        if vault.at(".tapps-mcp/tags-batch.json").exists() {
            // Half of them by asking for the same again, half by name.
            let again: &[&str] =
                if kill % 2 == 0 { &["replace", "one=two", "two=one", "--write"] } else { &["resume"] };
            assert!(program(&vault, again).status().unwrap().success());
            assert_eq!(leftovers(vault.0.path()), 0, "after kill {kill}");
        } else if done == 0 {
            continue;
        }
        assert_eq!(new_notes(&vault, &old, &new), NOTES, "after kill {kill}");
        assert!(!vault.at(".tapps-mcp/tags-batch.json").exists());
        std::mem::swap(&mut old, &mut new);
    }
    assert!(in_the_middle > 0, "no kill hit a batch in the middle");
}
