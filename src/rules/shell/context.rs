//! What rules ask of a script besides its tree.

use std::collections::HashSet;

use tapps_syntax::nodes::Node;
use tapps_syntax::shell::is_test_name;

use super::commands::{expanded_name, unquoted};
use super::language::Shell;
use crate::tree::context::TreeContext;
use crate::tree::nodes::{SyntaxTree, field, named_children};

/// A script as its rules see it.
pub(crate) type ShellContext<'c> = TreeContext<'c, Shell>;

/// What is known of a script as a whole.
#[derive(Debug)]
pub(crate) struct ShellFacts<'c> {
    /// Variables whose value is what whoever starts the script says: its arguments, options, and lines that it reads.
    from_outside: HashSet<&'c str>,
    /// Options that are set for the whole script, `e` and `pipefail` among them.
    options: HashSet<&'c str>,
}

impl<'c> ShellFacts<'c> {
    pub(super) fn from_tree(tree: &'c SyntaxTree<'c>) -> Self {
        let mut facts = Self { from_outside: HashSet::from(["OPTARG", "REPLY"]), options: HashSet::new() };
        if let Some(flags) = tree.source_text().lines().next().and_then(|line| line.strip_prefix("#!")) {
            facts.options.extend(flags.split_whitespace().skip(1).flat_map(option_letters));
        }
        for node in tree.all_nodes() {
            match node.kind() {
                "command" => facts.read_command(tree, node),
                "variable_assignment" => facts.read_assignment(tree, node),
                "for_statement" => facts.read_loop(tree, node),
                _ => {}
            }
        }
        facts
    }

    fn read_command(&mut self, tree: &'c SyntaxTree<'c>, node: Node<'c>) {
        let Some(name) = field(node, "name") else { return };
        let arguments = || named_children(node).filter(|child| child.start_byte() > name.start_byte());
        match tree.text_of(name) {
            "read" => {
                let names = arguments().map(|argument| tree.text_of(argument)).filter(|text| !text.starts_with('-'));
                self.from_outside.extend(names);
            }
            "set" => {
                for argument in arguments().map(|argument| tree.text_of(argument)) {
                    match argument.strip_prefix('-') {
                        Some("o") => {}
                        Some(_) => self.options.extend(option_letters(argument)),
                        None => drop(self.options.insert(argument)),
                    }
                }
            }
            _ => {}
        }
    }

    fn read_assignment(&mut self, tree: &'c SyntaxTree<'c>, node: Node<'c>) {
        let (Some(name), Some(value)) = (field(node, "name"), field(node, "value")) else { return };
        // What is put together, or made by a command, may be quoted or checked on the way.
        let whole = unquoted(tree.text_of(value));
        let is_copy = |at: Node<'c>| tree.text_of(at).trim_start() == whole && self.comes_from_outside(tree, at);
        if tree.subtree_of(value).any(is_copy) {
            self.from_outside.insert(tree.text_of(name));
        }
    }

    /// `for each; do` and `for each in "$@"; do`.
    fn read_loop(&mut self, tree: &'c SyntaxTree<'c>, node: Node<'c>) {
        let Some(name) = field(node, "variable") else { return };
        let mut values = named_children(node).filter(|child| {
            child.start_byte() > name.start_byte() && child.kind() != "do_group" && child.kind() != "variable_name"
        });
        if values.any(|value| tree.subtree_of(value).any(|at| self.comes_from_outside(tree, at))) {
            self.from_outside.insert(tree.text_of(name));
        }
    }

    /// True for the value of an argument of the script, or of a variable that has one. What a function is called with is
    /// known to the script.
    fn comes_from_outside(&self, tree: &SyntaxTree<'_>, node: Node<'_>) -> bool {
        if !matches!(node.kind(), "simple_expansion" | "expansion") {
            return false;
        }
        let name = expanded_name(tree.text_of(node));
        let is_argument = matches!(name, "@" | "*") || name.parse::<u32>().is_ok_and(|number| number > 0);
        let in_function = || tree.ancestors_of(node).any(|at| at.kind() == "function_definition");
        self.from_outside.contains(name) || is_argument && !in_function()
    }
}

/// `e` and `u` of `-eu`.
fn option_letters(word: &str) -> impl Iterator<Item = &str> {
    let letters = word.strip_prefix('-').filter(|rest| rest.chars().all(|c| c.is_ascii_alphabetic()));
    letters.into_iter().flat_map(|letters| (0..letters.len()).filter_map(|at| letters.get(at..=at)))
}

impl<'c> TreeContext<'c, Shell> {
    /// True where whoever starts the script decides a part of a word.
    pub(crate) fn holds_outside_value(&self, word: Node<'c>) -> bool {
        // Of a command inside only what it prints becomes a part.
        let is_inner = |at: Node<'c>| {
            let around = std::iter::once(at).chain(self.tree().ancestors_of(at));
            let mut inside = around.take_while(|around| around.id() != word.id()).chain([word]);
            inside.any(|around| around.kind() == "command_substitution")
        };
        let mut values = self.tree().subtree_of(word).filter(|at| self.facts.comes_from_outside(self.tree(), *at));
        values.any(|at| !is_inner(at))
    }

    /// True when the script ends with its first command that fails.
    pub(crate) fn stops_at_failure(&self) -> bool {
        self.facts.options.contains("e") || self.facts.options.contains("errexit")
    }

    /// True when a pipeline fails with any of its commands.
    pub(crate) fn pipes_fail(&self) -> bool {
        self.facts.options.contains("pipefail")
    }

    /// True where the exit code of a command is looked at, so that its failure is no surprise.
    pub(crate) fn is_condition(&self, node: Node<'c>) -> bool {
        let Some(around) = self.tree().parent_of(node) else { return false };
        match around.kind() {
            "list" | "negated_command" => true,
            "if_statement" | "elif_clause" | "while_statement" => {
                let body = self.tree().children_of(around).find(|child| matches!(child.kind(), "then" | "do_group"));
                body.is_some_and(|body| node.start_byte() < body.start_byte())
            }
            "redirected_statement" => self.is_condition(around),
            _ => false,
        }
    }

    /// True for tests and what exists for them.
    pub(crate) fn is_test_file(&self) -> bool {
        const FOLDERS: &[&str] =
            &["bench", "benchmarks", "example", "examples", "spec", "t", "test", "testing", "tests"];
        let mut folders = self.path().rsplit('/').skip(1);
        folders.any(|part| FOLDERS.contains(&part)) || is_test_name(self.path())
    }
}
