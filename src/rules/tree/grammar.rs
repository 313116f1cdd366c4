//! What the measurements need to know of a language.

use tapps_syntax::kinds::PerKind;
use tapps_syntax::nodes::Node;
use tapps_syntax::tree::{NoTree, ParsedText};

use super::context::TreeContext;
use super::dispatch::TreeRules;
use super::nodes::SyntaxTree;
use super::roles::Roles;
use crate::shape::BlockKind;
use crate::suppression::{Dialect, Suppression};
use tapps_base::rule::Rule;
use tapps_base::source::Source;

/// How a language is called by its grammar. Kinds are those of the grammar's nodes.
#[derive(Debug)]
pub(crate) struct Grammar {
    /// From the path and the text of a file to its tree.
    pub(crate) parse: fn(&str, &str) -> Result<ParsedText, NoTree>,
    /// False when texts of the language have what the grammar does not know. Whether they parse is for another tool to say.
    pub(crate) knows_whole_language: bool,
    /// Whose directives to checkers stand in comments.
    pub(crate) dialect: Dialect,
    /// Functions that are declared under a name. One inside another is measured apart from it.
    pub(crate) named_functions: &'static [&'static str],
    /// Functions that are written as values. They count for the function around them, unless they are a block themselves.
    pub(crate) closures: &'static [&'static str],
    /// What runs its body again and again.
    pub(crate) loops: &'static [&'static str],
    /// An `if`: what follows its `else` may be another one, which nests no deeper.
    pub(crate) conditionals: &'static [&'static str],
    /// Whatever nests control flow, with loops and conditionals.
    pub(crate) control: &'static [&'static str],
    /// One more path through a function.
    pub(crate) branches: &'static [&'static str],
    /// Operators that are one more path each, by their tokens.
    pub(crate) logical_operators: &'static [&'static str],
    /// What asks the preprocessor, so that its condition is no code.
    pub(crate) directives: &'static [&'static str],
    /// What the two tables before cannot say of a node that is one more path.
    pub(crate) is_further_branch: for<'t> fn(&SyntaxTree<'t>, Node<'t>) -> bool,
    /// Expressions with an operator between two sides.
    pub(crate) binary_expressions: &'static [&'static str],
    /// Jumps that break the flow wherever they stand.
    pub(crate) jumps: &'static [&'static str],
    /// Jumps that break the flow when they name a label.
    pub(crate) labelled_jumps: &'static [&'static str],
    /// How such a label stands in the jump.
    pub(crate) labels: &'static [&'static str],
    /// Declarations that are a logical line each.
    pub(crate) declarations: &'static [&'static str],
    /// A statement that stands in a list of statements. Every one is a logical line.
    pub(crate) is_statement: for<'t> fn(&SyntaxTree<'t>, Node<'t>) -> bool,
    /// The name of a function that is a block: `Type.method`, `function`.
    pub(crate) block_name: for<'t> fn(&SyntaxTree<'t>, Node<'t>) -> Option<(String, BlockKind)>,
    pub(crate) count_parameters: for<'t> fn(&SyntaxTree<'t>, Node<'t>) -> u32,
    /// The operator of an expression, and whether it has one side. Assignments that do not compute have none.
    pub(crate) halstead_operator: for<'t> fn(Node<'t>) -> Option<(&'t str, bool)>,
    /// What to do about a function with too many parameters, as a sentence.
    pub(crate) parameters_help: &'static str,
    /// The tables by kind; every node is asked for its place in them.
    pub(crate) roles: PerKind<Roles>,
}

/// A language with its rules. The type has no values; it is a name for what is below.
pub(crate) trait TreeLanguage: Sized + std::fmt::Debug + 'static {
    /// What its rules ask of a file, read once: imports, and what hides them.
    type Facts<'c>: std::fmt::Debug;

    fn grammar() -> &'static Grammar;

    fn read_facts<'c>(source: &'c Source, tree: &'c SyntaxTree<'c>) -> Self::Facts<'c>;

    fn rules() -> &'static TreeRules<Self>;

    /// Whether what a rule says of a node is of low confidence for what is beside it.
    fn is_doubtful(_: &TreeContext<'_, Self>, _: &Rule, _: Node<'_>) -> bool {
        false
    }

    /// What hides findings of other checkers and is no comment, in the order of the text.
    fn read_attributes(_: &TreeContext<'_, Self>) -> Vec<Suppression> {
        Vec::new()
    }
}
