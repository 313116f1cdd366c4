//! The shell commands of an instruction, as far as rules need them: which programs are run with which words.

/// How deeply commands inside commands are followed.
const DEPTH: u32 = 8;

/// Words that begin or join commands without being one.
const KEYWORDS: [&str; 15] =
    ["!", "case", "do", "done", "elif", "else", "esac", "fi", "for", "if", "in", "then", "until", "while", "{"];

/// One simple command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ShellCommand {
    /// Quotes taken off; the program comes first. Never empty.
    pub(super) words: Vec<String>,
    /// `NAME=value` before the program.
    pub(super) assignments: Vec<String>,
    pub(super) line: u32,
    /// Its output goes into the next command.
    pub(super) piped: bool,
    /// The command was given as separate words, without a shell.
    pub(super) exec: bool,
}

impl ShellCommand {
    /// The program without its folder.
    pub(super) fn name(&self) -> &str {
        let word = self.words.first().map_or("", String::as_str);
        word.rsplit('/').next().unwrap_or(word)
    }

    /// What follows the program.
    pub(super) fn arguments(&self) -> &[String] {
        self.words.get(1..).unwrap_or_default()
    }

    /// True when one of the words is among the arguments.
    pub(super) fn has_argument(&self, any: &[&str]) -> bool {
        self.arguments().iter().any(|word| any.contains(&word.as_str()))
    }

    /// True for a letter in a group of short flags, as `y` in `-qy`.
    pub(super) fn has_short(&self, letter: char) -> bool {
        let short = |word: &&String| word.starts_with('-') && !word.starts_with("--");
        self.arguments().iter().filter(short).any(|word| word.contains(letter))
    }

    /// True when the program is one of `names` and its first argument that is no flag is one of `actions`.
    pub(super) fn runs_action(&self, names: &[&str], actions: &[&str]) -> bool {
        names.contains(&self.name()) && self.action().is_some_and(|action| actions.contains(&action))
    }

    /// The first argument that is no flag.
    pub(super) fn action(&self) -> Option<&str> {
        self.arguments().iter().find(|word| !word.starts_with('-')).map(String::as_str)
    }
}

/// The commands of a text; `line_at` tells the line of a byte offset.
pub(super) fn parse_shell_commands(text: &str, line_at: &dyn Fn(usize) -> u32) -> Vec<ShellCommand> {
    let mut found = Vec::new();
    read_shell_commands(text, 0, line_at, 0, &mut found);
    found
}

/// The command of a JSON form, and those in the text that a shell among them is given.
pub(super) fn of_words(words: &[String], line: u32) -> Vec<ShellCommand> {
    let mut found = Vec::new();
    push_shell_command(Building { words: words.to_vec(), ..Building::default() }, line, &mut found, 0);
    found.iter_mut().take(1).for_each(|command| command.exec = true);
    found
}

/// The words of a text, quotes taken off; `$(…)` and `${…}` stay whole.
pub(super) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut scanner = Scanner { text, at: 0 };
    loop {
        scanner.skip_blanks();
        if scanner.peek().is_none() {
            return words;
        }
        let before = scanner.at;
        words.push(scanner.word(&|c| c.is_whitespace(), &mut Vec::new()));
        if scanner.at == before {
            scanner.bump();
        }
    }
}

/// The here-documents that a text announces: whether tabs before the end word are dropped, and the end word.
pub(super) fn heredoc_ends(text: &str) -> Vec<(bool, String)> {
    let mut ends = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("<<") {
        rest = rest.get(at + 2..).unwrap_or_default();
        if let Some(after) = rest.strip_prefix('<') {
            // A here-string.
            rest = after;
            continue;
        }
        let tabs = rest.starts_with('-');
        let word = rest.trim_start_matches('-');
        let end: String = word
            .trim_start_matches(['"', '\''])
            .chars()
            .take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))
            .collect();
        if end.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            ends.push((tabs, end));
        }
    }
    ends
}

/// A command that is being read.
#[derive(Default)]
struct Building {
    words: Vec<String>,
    assignments: Vec<String>,
    start: Option<usize>,
    /// The next word is the target of a redirection.
    redirected: bool,
    /// After `for`, `case` and `in`: words that are no commands, up to the end of the clause.
    clause: bool,
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scanner<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|c| c.is_whitespace() && c != '\n') || self.rest().starts_with("\\\n") {
            self.bump();
        }
    }

    /// Passes a bracket that was opened before the scanner and gives what is inside.
    fn take_bracketed(&mut self, open: char, close: char) -> &'t str {
        let start = self.at;
        let mut depth = 1_u32;
        let mut quote = None;
        while let Some(c) = self.peek() {
            match quote {
                Some(q) if c == q => quote = None,
                Some(_) => {}
                None if c == '\'' || c == '"' => quote = Some(c),
                None if c == open => depth += 1,
                None if c == close => depth -= 1,
                None => {}
            }
            let end = self.at;
            self.bump();
            if depth == 0 {
                return self.text.get(start..end).unwrap_or_default();
            }
            if c == '\\' {
                self.bump();
            }
        }
        self.text.get(start..).unwrap_or_default()
    }

    /// A word up to a character that ends one; commands inside it are noted with their offset.
    fn word(&mut self, ends: &dyn Fn(char) -> bool, inner: &mut Vec<(usize, &'t str)>) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek() {
            if ends(c) {
                break;
            }
            self.bump();
            match c {
                '\\' => word.extend(self.bump().filter(|c| *c != '\n')),
                '\'' => {
                    let end = self.rest().find('\'').unwrap_or(self.rest().len());
                    word.push_str(self.rest().get(..end).unwrap_or_default());
                    self.at = (self.at + end + 1).min(self.text.len());
                }
                '"' => self.quoted(&mut word, inner),
                _ => self.plain(c, &mut word, inner),
            }
        }
        word
    }

    fn quoted(&mut self, word: &mut String, inner: &mut Vec<(usize, &'t str)>) {
        while let Some(c) = self.bump() {
            match c {
                '"' => break,
                '\\' => word.extend(self.bump()),
                _ => self.plain(c, word, inner),
            }
        }
    }

    /// A character that may begin `$(…)`, `${…}` or a command in backquotes.
    fn plain(&mut self, c: char, word: &mut String, inner: &mut Vec<(usize, &'t str)>) {
        word.push(c);
        let (open, close) = match (c, self.peek()) {
            ('$', Some('(')) => ('(', ')'),
            ('$', Some('{')) => ('{', '}'),
            ('`', Some(_)) => {
                let start = self.at;
                let end = self.rest().find('`').unwrap_or(self.rest().len());
                let text = self.rest().get(..end).unwrap_or_default();
                inner.push((start, text));
                word.push_str(text);
                word.push('`');
                self.at = (start + end + 1).min(self.text.len());
                return;
            }
            _ => return,
        };
        self.bump();
        let start = self.at;
        let text = self.take_bracketed(open, close);
        if open == '(' {
            inner.push((start, text));
        }
        word.push(open);
        word.push_str(text);
        word.push(close);
    }
}

fn read_shell_commands(text: &str, base: usize, line_at: &dyn Fn(usize) -> u32, depth: u32, found: &mut Vec<ShellCommand>) {
    if depth > DEPTH {
        return;
    }
    let mut scanner = Scanner { text, at: 0 };
    let mut building = Building::default();
    let mut inner = Vec::new();
    loop {
        scanner.skip_blanks();
        let Some(c) = scanner.peek() else { break };
        let start = scanner.at;
        match c {
            '#' => scanner.at += scanner.rest().find('\n').unwrap_or(scanner.rest().len()),
            '\n' | ';' | '&' | '|' | '(' | ')' => {
                scanner.bump();
                let doubled = scanner.peek() == Some(c) && matches!(c, '&' | '|' | ';');
                if doubled || c == '|' && scanner.peek() == Some('&') {
                    scanner.bump();
                }
                let line = line_at(base + building.start.unwrap_or(start));
                push_shell_command(std::mem::take(&mut building), line, found, depth);
                if c == '|'
                    && !doubled
                    && let Some(last) = found.last_mut()
                {
                    last.piped = true;
                }
            }
            '>' | '<' => {
                while scanner.peek().is_some_and(|c| matches!(c, '>' | '<' | '&' | '-')) {
                    scanner.bump();
                }
                building.redirected = true;
            }
            _ => {
                let word = scanner.word(&|c| c.is_whitespace() || ";&|()<>".contains(c), &mut inner);
                building.add(word, start, scanner.peek());
            }
        }
    }
    let line = line_at(base + building.start.unwrap_or_default());
    push_shell_command(building, line, found, depth);
    for (at, text) in inner {
        read_shell_commands(text, base + at, line_at, depth + 1, found);
    }
}

impl Building {
    fn add(&mut self, word: String, start: usize, next: Option<char>) {
        if std::mem::take(&mut self.redirected) || self.clause {
            return;
        }
        // The number of a redirected stream, as in `2>`.
        if matches!(next, Some('>' | '<')) && word.bytes().all(|byte| byte.is_ascii_digit()) {
            return;
        }
        if self.words.is_empty() {
            if KEYWORDS.contains(&word.as_str()) || word == "}" {
                self.clause = matches!(word.as_str(), "for" | "case" | "in");
                return;
            }
            let name = word.split_once('=').map(|(name, _)| name).filter(|name| !name.is_empty());
            if name.is_some_and(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')) {
                self.assignments.push(word);
                return;
            }
        }
        self.start.get_or_insert(start);
        self.words.push(word);
    }
}

/// Records a command, and those that it passes to a shell or runs in its own name.
fn push_shell_command(building: Building, line: u32, found: &mut Vec<ShellCommand>, depth: u32) {
    let Building { words, assignments, .. } = building;
    if words.is_empty() {
        return;
    }
    let command = ShellCommand { words, assignments, line, ..ShellCommand::default() };
    let text = match command.name() {
        "sh" | "bash" | "ash" | "dash" | "zsh" => {
            let arguments = command.arguments();
            let script = arguments.iter().position(|word| word.starts_with('-') && word.ends_with('c'));
            script.and_then(|at| arguments.get(at + 1)).cloned()
        }
        "eval" => Some(command.arguments().join(" ")),
        _ => None,
    };
    let wrapped = match command.name() {
        "env" | "exec" | "time" | "nice" | "nohup" | "command" | "sudo" | "xargs" => {
            command.arguments().iter().position(|word| !word.starts_with('-') && !word.contains('='))
        }
        _ => None,
    };
    let rest = wrapped.and_then(|at| command.arguments().get(at..)).map(<[String]>::to_vec);
    found.push(command);
    if let Some(text) = text {
        read_shell_commands(&text, 0, &|_| line, depth + 1, found);
    }
    if let Some(words) = rest
        && depth < DEPTH
    {
        push_shell_command(Building { words, ..Building::default() }, line, found, depth + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn seen(text: &str) -> String {
        let commands = parse_shell_commands(text, &|_| 1);
        commands.iter().map(|command| command.words.join(" ")).collect::<Vec<_>>().join(" / ")
    }

    #[rstest]
    #[case("a b && c || d; e & f", "a b / c / d / e / f")]
    #[case("a 'b c' \"d $x\" e\\ f", "a b c d $x e f")]
    #[case("X=1 Y=2 a >/dev/null 2>&1 b", "a b")]
    #[case("if [ -f a ]; then b; else c; fi", "[ -f a ] / b / c")]
    #[case("for x in a b; do c $x; done", "c $x")]
    #[case("a $(b c) `d`", "a $(b c) `d` / b c / d")]
    #[case("a \"$(b | c)\"", "a $(b | c) / b / c")]
    #[case("(a; b)", "a / b")]
    #[case("{ a; }", "a")]
    #[case("bash -ec 'a && b'", "bash -ec a && b / a / b")]
    #[case("sudo -E apt-get install x", "sudo -E apt-get install x / apt-get install x")]
    #[case("a # b && c", "a")]
    #[case("echo a#b", "echo a#b")]
    #[case("case $x in a) b ;; esac", "b")]
    #[case("", "")]
    fn commands(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(seen(text), expected);
    }

    #[test]
    fn pipes_assignments_and_deep_nesting() {
        let commands = parse_shell_commands("A=b wget -O - x | sh || c", &|_| 1);
        assert_eq!(commands[0].assignments, ["A=b"]);
        assert_eq!(commands.iter().map(|c| c.piped).collect::<Vec<_>>(), [true, false, false]);
        parse_shell_commands(&"$(".repeat(50_000), &|_| 1);
        parse_shell_commands(&"sudo ".repeat(50_000), &|_| 1);
    }
}
