//! Where the names of a file are declared, given values, tested and handed on. A long function asks for thousands of its
//! names: all of them are looked up in one walk, when the first rule asks.

use std::collections::{HashMap, HashSet};

use tapps_syntax::nodes::Node;

use crate::tree::nodes::{SyntaxTree, children_of_kind, field, is_comment, named_children, without_parentheses};

/// Longer chains of names are nobody's condition.
const LONGEST: usize = 200;

/// More mentions of one name than a function of people has.
const MOST_MENTIONS: usize = 500;

/// What is known of names, each in the order of the text.
#[derive(Debug, Default)]
pub(super) struct Mentions<'c> {
    /// Statements, specifications and parameters that declare a name.
    pub(super) declarations: HashMap<&'c str, Vec<Node<'c>>>,
    /// Statements that give a name a value, with its number among the names.
    pub(super) values: HashMap<&'c str, Vec<(Node<'c>, usize)>>,
    /// The first specifications outside of functions that give a name a value.
    pub(super) top_values: HashMap<&'c str, (Node<'c>, usize)>,
    /// Identifiers.
    names: HashMap<&'c str, Vec<Node<'c>>>,
    /// The functions that the file declares; methods are not among them.
    pub(super) functions: HashMap<&'c str, Node<'c>>,
    /// Calls of names alone.
    pub(super) calls: HashMap<&'c str, Vec<Node<'c>>>,
    /// Lists of statements that end with `return`.
    pub(super) returning: HashSet<usize>,
    /// Lists of statements that end with `break`.
    pub(super) breaking: HashSet<usize>,
    /// Conditions, by what stands in them.
    tested: Places<'c>,
    /// Where the type of a value is looked at: switches over it, assertions with two results, calls in conditions.
    typed: Places<'c>,
    /// Names that a function gives away as a whole: returned, handed to a call, sent, or kept in something else.
    handed: Places<'c>,
    /// `a.b` that is kept elsewhere, or handed to what may close it.
    parts_handed: Places<'c>,
    /// `a.b.Close`, and `a.Write`, by which an answer is written out and closed.
    closings: Places<'c>,
    /// What calls of `Unmarshal` read.
    unmarshalled: Places<'c>,
    /// Receives, and calls of `Wait`.
    waits: Vec<usize>,
}

/// Bytes where something stands, by its text.
type Places<'c> = HashMap<&'c str, Vec<usize>>;

impl<'c> Mentions<'c> {
    pub(super) fn from_tree(tree: &'c SyntaxTree<'c>) -> Self {
        let mut found = Self::default();
        for node in tree.all_nodes() {
            found.read(tree, node);
        }
        found.tested.values_mut().chain(found.typed.values_mut()).for_each(|places| places.sort_unstable());
        found
    }

    /// True where a condition after `from`, up to `to`, asks for a name or selector.
    pub(super) fn is_tested_within(&self, text: &str, from: usize, to: usize) -> bool {
        is_within(&self.tested, text, from, to)
    }

    /// True where the type of a value is looked at inside a function.
    pub(super) fn is_type_asked_in(&self, text: &str, function: Node<'_>) -> bool {
        is_within(&self.typed, text, function.start_byte(), function.end_byte())
    }

    /// True for a name that a function gives away.
    pub(super) fn is_handed_on_in(&self, name: &str, function: Node<'_>) -> bool {
        is_within(&self.handed, name, function.start_byte(), function.end_byte())
    }

    /// True for `a.b` that a function keeps elsewhere or hands to what may close it.
    pub(super) fn is_part_handed_on_in(&self, part: &str, function: Node<'_>) -> bool {
        is_within(&self.parts_handed, part, function.start_byte(), function.end_byte())
    }

    /// True for `a.b.Close` that is called in a function, at once or later.
    pub(super) fn is_closed_in(&self, closing: &str, function: Node<'_>) -> bool {
        is_within(&self.closings, closing, function.start_byte(), function.end_byte())
    }

    /// True where the same bytes are unmarshalled twice between two places.
    pub(super) fn is_unmarshalled_again(&self, bytes: &str, from: usize, to: usize) -> bool {
        let places = self.unmarshalled.get(bytes).map_or(&[][..], Vec::as_slice);
        let first = places.partition_point(|at| *at < from);
        places.get(first + 1).is_some_and(|second| *second < to)
    }

    /// True where something is waited for between two places.
    pub(super) fn waits_within(&self, from: usize, to: usize) -> bool {
        any_within(&self.waits, from, to)
    }

    /// The first mention of a name from a place on.
    pub(super) fn names_from(&self, name: &str, from: usize) -> &[Node<'c>] {
        let all = self.names.get(name).map_or(&[][..], Vec::as_slice);
        all.get(all.partition_point(|at| at.start_byte() < from)..).unwrap_or_default()
    }

    /// The mentions of a name between two places; of very many, as a generated function may have them, the first.
    pub(super) fn names_within(&self, name: &str, from: usize, to: usize) -> impl Iterator<Item = Node<'c>> {
        self.names_from(name, from).iter().copied().take_while(move |at| at.start_byte() < to).take(MOST_MENTIONS)
    }

    fn read(&mut self, tree: &'c SyntaxTree<'c>, node: Node<'c>) {
        match node.kind() {
            "identifier" => self.read_name(tree, node),
            "selector_expression" => self.read_selector(tree, node),
            "short_var_declaration" | "range_clause" | "assignment_statement" => self.read_assignment(tree, node),
            "var_spec" | "const_spec" => {
                let is_given = field(node, "value").is_some();
                let is_top = tree.ancestors_of(node).all(|above| !tree.is_function(above));
                for (at, name) in children_of_kind(node, "identifier").enumerate() {
                    let text = tree.text_of(name);
                    self.declarations.entry(text).or_default().push(node);
                    if is_given && is_top {
                        self.top_values.entry(text).or_insert((node, at));
                    }
                    if is_given {
                        self.values.entry(text).or_default().push((node, at));
                    }
                }
            }
            "parameter_declaration" | "variadic_parameter_declaration" => {
                for name in children_of_kind(node, "identifier") {
                    self.declarations.entry(tree.text_of(name)).or_default().push(node);
                }
            }
            "function_declaration" => {
                if let Some(name) = field(node, "name") {
                    self.functions.entry(tree.text_of(name)).or_insert(node);
                }
            }
            "if_statement" | "expression_switch_statement" => self.read_condition(tree, node),
            "type_switch_statement" => self.read_typed(tree, field(node, "value")),
            "type_assertion_expression" if has_two_results(tree, node) => {
                self.read_typed(tree, field(node, "operand"));
            }
            "unary_expression" if field(node, "operator").is_some_and(|it| it.kind() == "<-") => {
                self.waits.push(node.start_byte());
            }
            "call_expression" => self.read_call(tree, node),
            "statement_list" => {
                let last = tree.children_of(node).filter(|at| at.is_named() && !is_comment(*at)).last();
                match last.map(|last| last.kind()) {
                    Some("return_statement") => self.returning.insert(node.id()),
                    Some("break_statement") => self.breaking.insert(node.id()),
                    _ => false,
                };
            }
            _ => {}
        }
    }

    fn read_name(&mut self, tree: &'c SyntaxTree<'c>, name: Node<'c>) {
        let text = tree.text_of(name);
        self.names.entry(text).or_default().push(name);
        if is_given_away(tree, name, true) {
            self.handed.entry(text).or_default().push(name.start_byte());
        }
    }

    fn read_selector(&mut self, tree: &'c SyntaxTree<'c>, selector: Node<'c>) {
        let is_closing = field(selector, "field").is_some_and(|name| matches!(tree.text_of(name), "Close" | "Write"));
        let is_short = selector.end_byte() - selector.start_byte() <= LONGEST;
        if is_short && is_closing {
            self.closings.entry(tree.text_of(selector)).or_default().push(selector.start_byte());
        } else if is_short && is_given_away(tree, selector, false) {
            self.parts_handed.entry(tree.text_of(selector)).or_default().push(selector.start_byte());
        }
    }

    fn read_assignment(&mut self, tree: &'c SyntaxTree<'c>, statement: Node<'c>) {
        for (at, name) in field(statement, "left").into_iter().flat_map(named_children).enumerate() {
            let text = tree.text_of(name);
            if statement.kind() != "assignment_statement" {
                self.declarations.entry(text).or_default().push(statement);
            }
            if statement.kind() != "range_clause" && name.kind() == "identifier" {
                self.values.entry(text).or_default().push((statement, at));
            }
        }
    }

    fn read_condition(&mut self, tree: &'c SyntaxTree<'c>, statement: Node<'c>) {
        let Some(condition) = field(statement, "condition").or_else(|| field(statement, "value")) else { return };
        for part in tree.subtree_of(condition) {
            match part.kind() {
                "identifier" | "selector_expression" if part.end_byte() - part.start_byte() <= LONGEST => {
                    self.tested.entry(tree.text_of(part)).or_default().push(condition.start_byte());
                }
                // `reflect.TypeOf(value)`, `errors.As(err, …)`, `isTemporary(err)`: whatever is asked of it.
                "argument_list" if statement.kind() == "if_statement" => {
                    named_children(part).for_each(|argument| self.read_typed(tree, Some(argument)));
                }
                _ => {}
            }
        }
    }

    fn read_typed(&mut self, tree: &'c SyntaxTree<'c>, value: Option<Node<'c>>) {
        let Some(value) = value.map(without_parentheses) else { return };
        if value.end_byte() - value.start_byte() <= LONGEST {
            self.typed.entry(tree.text_of(value)).or_default().push(value.start_byte());
        }
    }

    fn read_call(&mut self, tree: &'c SyntaxTree<'c>, call: Node<'c>) {
        let Some(function) = field(call, "function") else { return };
        match function.kind() {
            "identifier" => self.calls.entry(tree.text_of(function)).or_default().push(call),
            "selector_expression" => match field(function, "field").map(|name| tree.text_of(name)) {
                Some("Wait") => self.waits.push(call.start_byte()),
                Some("Unmarshal") => {
                    let bytes = field(call, "arguments").and_then(|list| named_children(list).next());
                    if let Some(bytes) = bytes.filter(|it| it.end_byte() - it.start_byte() <= LONGEST) {
                        self.unmarshalled.entry(tree.text_of(bytes)).or_default().push(call.start_byte());
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
}

fn is_within(places: &Places<'_>, text: &str, from: usize, to: usize) -> bool {
    places.get(text).is_some_and(|places| any_within(places, from, to))
}

/// True for places in order of which one is not before `from` and before `to`.
fn any_within(places: &[usize], from: usize, to: usize) -> bool {
    places.get(places.partition_point(|at| *at < from)).is_some_and(|at| *at < to)
}

/// Functions that read what they are given and close nothing.
const READERS: &[&str] = &[
    "Copy",
    "CopyN",
    "Decode",
    "LimitReader",
    "NewDecoder",
    "NewReader",
    "NewScanner",
    "NewTokenizer",
    "Parse",
    "ReadAll",
    "ReadFull",
];

/// True for a value that is returned, handed to a call, sent, or kept in something else. What only reads keeps nothing: that
/// counts where the value `closes` with what it is handed to.
fn is_given_away(tree: &SyntaxTree<'_>, value: Node<'_>, to_readers: bool) -> bool {
    let Some(parent) = tree.parent_of(value) else { return false };
    match parent.kind() {
        "argument_list" => to_readers || tree.parent_of(parent).is_none_or(|call| !only_reads(tree, call)),
        "literal_element" | "send_statement" => true,
        "expression_list" => tree.parent_of(parent).is_some_and(|statement| {
            statement.kind() == "return_statement"
                || field(statement, "right").is_some_and(|right| right.id() == parent.id())
        }),
        "keyed_element" => field(parent, "value").is_some_and(|of| of.id() == value.id()),
        _ => false,
    }
}

fn only_reads(tree: &SyntaxTree<'_>, call: Node<'_>) -> bool {
    let function = field(call, "function");
    let name = function.and_then(|function| field(function, "field"));
    name.is_some_and(|name| READERS.contains(&tree.text_of(name)))
}

/// The second result is taken as well: `v, ok := x.(T)`, `var v, ok = x.(T)`.
pub(super) fn has_two_results(tree: &SyntaxTree<'_>, assertion: Node<'_>) -> bool {
    let list = tree.parent_of(assertion).filter(|parent| parent.kind() == "expression_list");
    let Some(list) = list.filter(|list| list.named_child_count() == 1) else { return false };
    let Some(statement) = tree.parent_of(list) else { return false };
    match statement.kind() {
        "short_var_declaration" | "assignment_statement" => {
            field(statement, "left").is_some_and(|left| left.named_child_count() == 2)
        }
        "var_spec" => children_of_kind(statement, "identifier").count() == 2,
        _ => false,
    }
}
