//! A syntax tree that counts the steps that are taken in it, and gives nothing more when there are too many.
//!
//! A rule may look through the whole file from every place of it, and rules within rules multiply that. Time would bound it
//! differently on every machine; steps are the same everywhere, so that a rule set fits a file always or never.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::rc::Rc;

use ast_grep_core::source::{Edit, SgNode};
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{Doc, Position};
use ast_grep_language::SupportLang;

/// Bytes of text that are looked at in one step.
const BYTES_A_STEP: usize = 64;

type Inner = StrDoc<SupportLang>;
type InnerNode<'r> = <Inner as Doc>::Node<'r>;

/// How many steps are left.
pub(crate) struct Budget {
    left: Cell<u64>,
    spent: Cell<bool>,
}

impl Budget {
    pub(crate) fn new(steps: u64) -> Rc<Self> {
        Rc::new(Self { left: Cell::new(steps), spent: Cell::new(false) })
    }

    /// True when a step was asked for that there was no more.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get()
    }

    fn take(&self, steps: usize) -> bool {
        let steps = u64::try_from(steps).unwrap_or(u64::MAX);
        match self.left.get().checked_sub(steps) {
            Some(left) => self.left.set(left),
            None => {
                self.left.set(0);
                self.spent.set(true);
            }
        }
        !self.spent.get()
    }
}

/// A text with its tree, in which steps are counted.
#[derive(Clone)]
pub(crate) struct CountedDoc {
    inner: Inner,
    budget: Rc<Budget>,
}

impl CountedDoc {
    pub(crate) fn parse(text: &str, language: SupportLang, budget: &Rc<Budget>) -> Result<Self, String> {
        Ok(Self { inner: StrDoc::try_new(text, language)?, budget: Rc::clone(budget) })
    }

    /// How deep the tree is nested, or that it is deeper than a limit.
    pub(crate) fn is_deeper_than(&self, limit: usize) -> bool {
        let mut open = vec![(self.inner.root_node(), 0)];
        while let Some((node, depth)) = open.pop() {
            if depth > limit {
                return true;
            }
            open.extend(SgNode::children(&node).map(|child| (child, depth + 1)));
        }
        false
    }
}

impl Doc for CountedDoc {
    type Source = String;
    type Lang = SupportLang;
    type Node<'r> = CountedNode<'r>;

    fn get_lang(&self) -> &SupportLang {
        self.inner.get_lang()
    }

    fn get_source(&self) -> &String {
        self.inner.get_source()
    }

    fn do_edit(&mut self, edit: &Edit<String>) -> Result<(), String> {
        self.inner.do_edit(edit)
    }

    fn root_node(&self) -> CountedNode<'_> {
        CountedNode { node: self.inner.root_node(), budget: &self.budget }
    }

    fn get_node_text<'a>(&'a self, node: &CountedNode<'a>) -> Cow<'a, str> {
        if node.budget.take(1 + SgNode::range(&node.node).len() / BYTES_A_STEP) {
            self.inner.get_node_text(&node.node)
        } else {
            Cow::Borrowed("")
        }
    }
}

/// A node of such a tree.
#[derive(Clone)]
pub(crate) struct CountedNode<'r> {
    node: InnerNode<'r>,
    budget: &'r Budget,
}

impl<'r> CountedNode<'r> {
    fn at(&self, node: InnerNode<'r>) -> Self {
        Self { node, budget: self.budget }
    }

    fn step(&self, to: impl FnOnce(&InnerNode<'r>) -> Option<InnerNode<'r>>) -> Option<Self> {
        if self.budget.take(1) { to(&self.node).map(|node| self.at(node)) } else { None }
    }

    fn each(&self, nodes: impl Iterator<Item = InnerNode<'r>>) -> impl Iterator<Item = Self> {
        let budget = self.budget;
        nodes.take_while(move |_| budget.take(1)).map(move |node| Self { node, budget })
    }
}

impl<'r> SgNode<'r> for CountedNode<'r> {
    fn parent(&self) -> Option<Self> {
        self.step(SgNode::parent)
    }

    fn children(&self) -> impl ExactSizeIterator<Item = Self> {
        let budget = self.budget;
        let nodes: Vec<InnerNode<'r>> =
            if budget.take(1) { SgNode::children(&self.node).collect() } else { Vec::new() };
        budget.take(nodes.len());
        nodes.into_iter().map(move |node| Self { node, budget })
    }

    fn kind(&self) -> Cow<'_, str> {
        SgNode::kind(&self.node)
    }

    fn kind_id(&self) -> u16 {
        // Asked first by each part of a rule, so that long lists of parts are counted as well.
        self.budget.take(1);
        SgNode::kind_id(&self.node)
    }

    fn node_id(&self) -> usize {
        SgNode::node_id(&self.node)
    }

    fn range(&self) -> Range<usize> {
        SgNode::range(&self.node)
    }

    fn start_pos(&self) -> Position {
        SgNode::start_pos(&self.node)
    }

    fn end_pos(&self) -> Position {
        SgNode::end_pos(&self.node)
    }

    fn ancestors(&self, root: Self) -> impl Iterator<Item = Self> {
        let nodes: Vec<InnerNode<'r>> =
            if self.budget.take(1) { SgNode::ancestors(&self.node, root.node).collect() } else { Vec::new() };
        self.budget.take(nodes.len());
        self.each(nodes.into_iter())
    }

    fn dfs(&self) -> impl Iterator<Item = Self> {
        self.each(SgNode::dfs(&self.node))
    }

    fn child(&self, nth: usize) -> Option<Self> {
        self.step(|node| SgNode::child(node, nth))
    }

    fn next(&self) -> Option<Self> {
        self.step(SgNode::next)
    }

    fn prev(&self) -> Option<Self> {
        self.step(SgNode::prev)
    }

    fn next_all(&self) -> impl Iterator<Item = Self> {
        self.each(SgNode::next_all(&self.node))
    }

    fn prev_all(&self) -> impl Iterator<Item = Self> {
        self.each(SgNode::prev_all(&self.node))
    }

    fn is_named(&self) -> bool {
        SgNode::is_named(&self.node)
    }

    fn is_named_leaf(&self) -> bool {
        SgNode::is_named_leaf(&self.node)
    }

    fn is_leaf(&self) -> bool {
        SgNode::is_leaf(&self.node)
    }

    fn is_missing(&self) -> bool {
        SgNode::is_missing(&self.node)
    }

    fn is_error(&self) -> bool {
        SgNode::is_error(&self.node)
    }

    fn is_extra(&self) -> bool {
        SgNode::is_extra(&self.node)
    }

    fn field(&self, name: &str) -> Option<Self> {
        self.step(|node| SgNode::field(node, name))
    }

    fn field_children(&self, field_id: Option<u16>) -> impl Iterator<Item = Self> {
        self.each(SgNode::field_children(&self.node, field_id))
    }

    fn child_by_field_id(&self, field_id: u16) -> Option<Self> {
        self.step(|node| SgNode::child_by_field_id(node, field_id))
    }
}
