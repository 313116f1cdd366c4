//! What each kind of a grammar's nodes is to the measurements.

use super::grammar::Grammar;

/// One table of a [`Grammar`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    NamedFunction,
    Closure,
    Loop,
    Conditional,
    Control,
    Branch,
    Directive,
    BinaryExpression,
    Jump,
    LabelledJump,
    Label,
    Declaration,
}

/// The tables that have a kind: a bit for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Roles(u16);

impl Roles {
    pub(super) const FUNCTION: Self = Self(Role::NamedFunction.bit() | Role::Closure.bit());

    /// What a grammar says of a kind.
    pub(super) fn of_kind(grammar: &Grammar, kind: &str) -> Self {
        let tables = [
            (Role::NamedFunction, grammar.named_functions),
            (Role::Closure, grammar.closures),
            (Role::Loop, grammar.loops),
            (Role::Conditional, grammar.conditionals),
            (Role::Control, grammar.control),
            (Role::Branch, grammar.branches),
            (Role::Directive, grammar.directives),
            (Role::BinaryExpression, grammar.binary_expressions),
            (Role::Jump, grammar.jumps),
            (Role::LabelledJump, grammar.labelled_jumps),
            (Role::Label, grammar.labels),
            (Role::Declaration, grammar.declarations),
        ];
        let roles = tables.iter().filter(|(_, kinds)| kinds.contains(&kind));
        Self(roles.fold(0, |roles, (role, _)| roles | role.bit()))
    }

    pub(super) const fn has(self, role: Role) -> bool {
        self.0 & role.bit() != 0
    }

    /// True when there is a role in both.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl Role {
    const fn bit(self) -> u16 {
        1 << self as u16
    }
}
