//! What a command of a script starts, and with what.

use tapps_syntax::nodes::Node;

use super::context::ShellContext;
use crate::tree::nodes::{field, named_children};

/// A program or a builtin with its arguments.
#[derive(Debug)]
pub(crate) struct CommandCall<'c> {
    /// Without its folder.
    pub(crate) name: &'c str,
    pub(crate) arguments: Vec<Node<'c>>,
}

/// What starts the command that follows it.
const STARTERS: &[&str] = &["command", "doas", "env", "exec", "nice", "nohup", "sudo", "time"];

/// The options of those whose value is the next word.
const WITH_VALUE: &[&str] = &["-C", "-D", "-T", "-U", "-g", "-h", "-n", "-p", "-u"];

/// What a `command` node starts, behind `sudo`, `env` and the like; none where its name is a value.
pub(crate) fn command_call<'c>(context: &ShellContext<'c>, node: Node<'c>) -> Option<CommandCall<'c>> {
    let name = field(node, "name").filter(|_| node.kind() == "command")?;
    let mut words: Vec<Node<'c>> = vec![name];
    let arguments = named_children(node).filter(|child| child.start_byte() > name.start_byte());
    words.extend(arguments.filter(|child| !child.kind().ends_with("_redirect")));
    let mut at = 0;
    loop {
        let word = plain_text(context, *words.get(at)?)?;
        if !STARTERS.contains(&base_name(word)) {
            let name = base_name(word);
            return Some(CommandCall { name, arguments: words.split_off(at + 1) });
        }
        at += 1;
        while let Some(text) = words.get(at).map(|word| context.text(*word)) {
            let is_assignment = text.split_once('=').is_some_and(|(name, _)| is_name(name));
            if !text.starts_with('-') && !is_assignment {
                break;
            }
            at += 1 + usize::from(WITH_VALUE.contains(&text));
        }
    }
}

fn base_name(word: &str) -> &str {
    word.rsplit('/').next().unwrap_or(word)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The text of a word without its quotation marks; none where a value stands in it.
pub(crate) fn plain_text<'c>(context: &ShellContext<'c>, word: Node<'c>) -> Option<&'c str> {
    (!holds_value(context, word)).then(|| unquoted(context.text(word)))
}

/// The text without the quotation marks around it.
pub(crate) fn unquoted(text: &str) -> &str {
    let inner = |mark: char| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    inner('"').or_else(|| inner('\'')).unwrap_or(text)
}

/// True for a word with something in it that is only known when it runs.
pub(crate) fn holds_value<'c>(context: &ShellContext<'c>, word: Node<'c>) -> bool {
    context.tree().subtree_of(word).any(|at| {
        matches!(
            at.kind(),
            "arithmetic_expansion" | "command_substitution" | "expansion" | "process_substitution" | "simple_expansion"
        )
    })
}

/// The name in `$name`, `${name}` and `${name:-other}`; empty where there is none.
pub(crate) fn expanded_name(expansion: &str) -> &str {
    // The grammar gives an expansion the blanks before it.
    let inner = expansion.trim_start().trim_start_matches('$');
    let inner = inner.strip_prefix('{').unwrap_or(inner);
    let special = |first: char| !(first.is_ascii_alphanumeric() || first == '_');
    match inner.chars().next() {
        Some(first) if special(first) => inner.get(..first.len_utf8()).unwrap_or_default(),
        Some(_) => {
            let end = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(inner.len());
            inner.get(..end).unwrap_or_default()
        }
        None => "",
    }
}

/// The number of a parameter: 3 of `$3` and `${3:-x}`.
pub(super) fn positional_number(expansion: &str) -> Option<u32> {
    expanded_name(expansion).parse().ok().filter(|number| *number > 0)
}

impl<'c> CommandCall<'c> {
    /// The arguments as they are written, without quotation marks.
    pub(crate) fn texts(&self, context: &ShellContext<'c>) -> Vec<&'c str> {
        self.arguments.iter().map(|argument| unquoted(context.text(*argument))).collect()
    }

    /// The argument that is one of some words.
    pub(crate) fn option(&self, context: &ShellContext<'c>, words: &[&str]) -> Option<Node<'c>> {
        self.arguments.iter().copied().find(|argument| words.contains(&context.text(*argument)))
    }

    /// The argument with a letter among its short options: `-k` and `-fsSk`.
    pub(crate) fn short_option(&self, context: &ShellContext<'c>, letter: char) -> Option<Node<'c>> {
        self.arguments.iter().copied().find(|argument| {
            let letters = context.text(*argument).strip_prefix('-').filter(|rest| !rest.starts_with('-'));
            letters
                .is_some_and(|letters| letters.chars().all(|c| c.is_ascii_alphanumeric()) && letters.contains(letter))
        })
    }

    /// What follows an argument.
    pub(crate) fn behind(&self, option: Node<'c>) -> Option<Node<'c>> {
        let at = self.arguments.iter().position(|argument| argument.id() == option.id())?;
        self.arguments.get(at + 1).copied()
    }
}

/// The commands of a pipeline, in their order; a single command where there is none.
pub(crate) fn piped_commands<'c>(node: Node<'c>) -> Vec<Node<'c>> {
    match node.kind() {
        "pipeline" => named_children(node).flat_map(piped_commands).collect(),
        "redirected_statement" => field(node, "body").map(piped_commands).unwrap_or_default(),
        _ => vec![node],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_expansions() {
        for (text, name) in [
            ("$a", "a"),
            (" $b", "b"),
            ("${a_1:-x}", "a_1"),
            ("$@", "@"),
            ("${1#x}", "1"),
            ("$", ""),
            ("${", ""),
            ("${#a}", "#"),
        ] {
            assert_eq!(expanded_name(text), name, "{text}");
        }
        assert_eq!((positional_number("$0"), positional_number("${12}")), (None, Some(12)));
    }
}
