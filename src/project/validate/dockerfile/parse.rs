//! From text to instructions: comments, continued lines, directives, here-documents, flags, the JSON form.

use super::super::sink::FileLocation;
use super::instruction::{Dockerfile, Flag, Instruction, Stage};
use super::shell;

/// Instructions that take flags.
const FLAGGED: [&str; 5] = ["ADD", "COPY", "FROM", "HEALTHCHECK", "RUN"];

/// Reads a Dockerfile; every text is one.
pub(super) fn parse_dockerfile(text: &str) -> Dockerfile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = DockerfileLines { rest: text.lines().enumerate().peekable(), escape: escape_of(text) };
    let mut file = Dockerfile::default();
    while let Some(logical) = lines.next_logical() {
        let mut instruction = instruction(&logical);
        instruction.commands = commands(&instruction, &logical);
        if instruction.is("FROM") && !instruction.onbuild {
            let stage = stage(&instruction);
            if let Some(name) = &stage.name {
                file.named.entry(name.to_ascii_lowercase()).or_insert(file.stages.len());
            }
            file.stages.push(stage);
        }
        instruction.stage = file.stages.len().checked_sub(1);
        file.instructions.push(instruction);
    }
    file
}

/// The escape character that a directive in the first comments sets.
fn escape_of(text: &str) -> char {
    let directives =
        text.lines().map_while(|line| line.trim().strip_prefix('#')).filter_map(|line| line.split_once('='));
    let mut escapes = directives.filter(|(key, _)| key.trim().eq_ignore_ascii_case("escape"));
    escapes.next().and_then(|(_, value)| value.trim().chars().next()).unwrap_or('\\')
}

/// One instruction before it is taken apart.
struct RawInstruction {
    text: String,
    /// Byte offset in `text` with the line that begins there.
    starts: Vec<(usize, u32)>,
    heredocs: Vec<Heredoc>,
    line: u32,
    end_line: u32,
}

struct Heredoc {
    text: String,
    /// The line of its first line.
    line: u32,
}

struct DockerfileLines<'t> {
    rest: std::iter::Peekable<std::iter::Enumerate<std::str::Lines<'t>>>,
    escape: char,
}

fn line_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

impl DockerfileLines<'_> {
    fn next_logical(&mut self) -> Option<RawInstruction> {
        let (first, mut line) = self.rest.find(|(_, line)| !is_blank_or_comment(line))?;
        let mut logical = RawInstruction {
            text: String::new(),
            starts: Vec::new(),
            heredocs: Vec::new(),
            line: line_number(first),
            end_line: line_number(first),
        };
        let mut at = first;
        loop {
            logical.starts.push((logical.text.len(), line_number(at)));
            logical.end_line = line_number(at);
            let trimmed = line.trim_end();
            let Some(continued) = trimmed.strip_suffix(self.escape) else {
                logical.text.push_str(trimmed);
                break;
            };
            logical.text.push_str(continued);
            logical.text.push(' ');
            // Comments and empty lines between continued lines are no part of the instruction.
            let Some((next, text)) = self.rest.find(|(_, line)| !is_blank_or_comment(line)) else { break };
            (at, line) = (next, text);
        }
        self.heredocs(&mut logical);
        Some(logical)
    }

    /// Takes the here-documents that the instruction announces.
    fn heredocs(&mut self, logical: &mut RawInstruction) {
        let keyword = logical.text.split_whitespace().next().unwrap_or_default().to_ascii_uppercase();
        if !matches!(keyword.as_str(), "RUN" | "COPY" | "ADD" | "ONBUILD") {
            return;
        }
        for (tabs, end) in shell::heredoc_ends(&logical.text) {
            let mut heredoc = Heredoc { text: String::new(), line: logical.end_line + 1 };
            for (at, line) in self.rest.by_ref() {
                logical.end_line = line_number(at);
                let bare = if tabs { line.trim_start_matches('\t') } else { line };
                if bare == end {
                    break;
                }
                heredoc.text.push_str(line);
                heredoc.text.push('\n');
            }
            logical.heredocs.push(heredoc);
        }
    }
}

fn is_blank_or_comment(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

fn instruction(logical: &RawInstruction) -> Instruction {
    let mut text = logical.text.trim_start();
    let mut keyword = take_word(&mut text).to_ascii_uppercase();
    let onbuild = keyword == "ONBUILD";
    if onbuild {
        keyword = take_word(&mut text).to_ascii_uppercase();
    }
    let mut flags = Vec::new();
    while FLAGGED.contains(&keyword.as_str()) && text.starts_with("--") {
        let word = take_word(&mut text);
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        flags.push(Flag { name: name.trim_start_matches('-').to_owned(), value: value.trim_matches('"').to_owned() });
    }
    let exec = text.starts_with('[').then(|| serde_json::from_str(text.trim_end()).ok()).flatten();
    Instruction {
        keyword,
        onbuild,
        flags,
        words: exec.clone().unwrap_or_else(|| shell::split(text)),
        exec,
        text: text.to_owned(),
        heredocs: !logical.heredocs.is_empty(),
        place: FileLocation::lines(logical.line, logical.end_line),
        ..Instruction::default()
    }
}

/// The first word of the text, which then begins after it.
fn take_word<'t>(text: &mut &'t str) -> &'t str {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    *text = rest.trim_start();
    word
}

fn commands(instruction: &Instruction, logical: &RawInstruction) -> Vec<shell::ShellCommand> {
    if !matches!(instruction.keyword.as_str(), "RUN" | "CMD" | "ENTRYPOINT" | "HEALTHCHECK") {
        return Vec::new();
    }
    if let Some(words) = &instruction.exec {
        return shell::of_words(words, logical.line);
    }
    let offset = logical.text.len() - instruction.text.len().min(logical.text.len());
    let line_at = |at: usize| {
        let index = logical.starts.partition_point(|(start, _)| *start <= at + offset);
        logical.starts.get(index.saturating_sub(1)).map_or(logical.line, |(_, line)| *line)
    };
    let text = if instruction.is("HEALTHCHECK") {
        instruction.text.strip_prefix("CMD").unwrap_or_default()
    } else {
        &instruction.text
    };
    let mut commands = shell::parse_shell_commands(text, &line_at);
    for heredoc in &logical.heredocs {
        let line_of = |at: usize| {
            let before = heredoc.text.get(..at).map_or(0, |text| text.matches('\n').count());
            heredoc.line + u32::try_from(before).unwrap_or(u32::MAX)
        };
        commands.extend(shell::parse_shell_commands(&heredoc.text, &line_of));
    }
    commands
}

fn stage(from: &Instruction) -> Stage {
    let mut words = from.words.iter();
    let image = words.next().cloned().unwrap_or_default();
    let name = words.next().filter(|word| word.eq_ignore_ascii_case("as")).and_then(|_| words.next()).cloned();
    Stage { image, name, platform: from.flag("platform").map(str::to_owned), place: from.place }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_keep_their_lines_flags_and_stages() {
        let file = parse_dockerfile(
            "# syntax=docker/dockerfile:1\nARG V=1\nFROM --platform=linux/arm64 a:$V AS base\nRUN one && \\\n  # why\n\n  two\n\
             COPY --from=base [\"a b\", \"/c/\"]\nONBUILD ADD x y\n",
        );
        let seen: Vec<(&str, u32, u32, Option<usize>)> =
            file.instructions.iter().map(|i| (i.keyword.as_str(), i.place.line, i.place.end_line, i.stage)).collect();
        assert_eq!(
            seen,
            [
                ("ARG", 2, 2, None),
                ("FROM", 3, 3, Some(0)),
                ("RUN", 4, 7, Some(0)),
                ("COPY", 8, 8, Some(0)),
                ("ADD", 9, 9, Some(0))
            ]
        );
        let stage = &file.stages[0];
        let parts = (stage.image.as_str(), stage.name.as_deref(), stage.platform.as_deref());
        assert_eq!(parts, ("a:$V", Some("base"), Some("linux/arm64")));
        let lines: Vec<(&str, u32)> = file.instructions[2].commands.iter().map(|c| (c.name(), c.line)).collect();
        assert_eq!(lines, [("one", 4), ("two", 7)]);
        assert_eq!(file.instructions[3].flag("from"), Some("base"));
        assert_eq!(file.instructions[3].words, ["a b", "/c/"]);
        assert!(file.instructions[4].onbuild);
    }

    #[test]
    fn here_documents_belong_to_their_instruction() {
        let file = parse_dockerfile("FROM a:1\nRUN <<-EOF bash\n\tapt-get update\n\tls\n\tEOF\nCMD [\"x\"]\n");
        assert_eq!(file.instructions.len(), 3);
        let run = &file.instructions[1];
        let commands: Vec<(&str, u32)> = run.commands.iter().map(|c| (c.name(), c.line)).collect();
        assert_eq!(commands, [("bash", 2), ("apt-get", 3), ("ls", 4)]);
        assert_eq!((run.place.line, run.place.end_line), (2, 5));
    }

    #[test]
    fn another_escape_character_and_odd_texts_are_read() {
        let file = parse_dockerfile("# escape=`\nFROM a:1\nRUN dir C:\\ `\n  && x\n");
        assert_eq!(file.instructions.len(), 2);
        assert_eq!(file.instructions[1].commands.len(), 2);
        for text in
            ["", "\\", "FROM", "RUN <<EOF", "RUN <<", "ONBUILD", "COPY [\"a\"", "RUN \"", "RUN $(", "é", "FROM \\\n"]
        {
            parse_dockerfile(text);
        }
    }
}
