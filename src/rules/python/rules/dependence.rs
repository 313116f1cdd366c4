//! Which names of a loop's body hold something made from the loop's own element.

use std::collections::HashSet;

use ruff_python_ast::{Expr, Stmt};

use super::suites::{inner_suites, is_definition, names_bound, names_read};

/// `seeds` and every name that the body assigns from one of them, directly or by way of others.
pub(super) fn derived_in<'a>(body: &'a [Stmt], seeds: Vec<&'a str>) -> HashSet<&'a str> {
    let mut flows = Vec::new();
    collect_flows(body, &mut flows);
    let mut derived: HashSet<&str> = seeds.into_iter().collect();
    // Each pass follows one more link; chains in real code are short, so a few passes see all of them.
    for _ in 0..8 {
        let before = derived.len();
        for (bound, read) in &flows {
            if read.iter().any(|name| derived.contains(name)) {
                derived.extend(bound);
            }
        }
        if derived.len() == before {
            break;
        }
    }
    derived
}

/// Names bound, and the names read by what they are bound to.
type Flow<'a> = (Vec<&'a str>, Vec<&'a str>);

fn collect_flows<'a>(body: &'a [Stmt], flows: &mut Vec<Flow<'a>>) {
    let mut flow = |target: &'a Expr, value: &'a Expr| flows.push((names_bound(target), names_read(value)));
    for stmt in body {
        match stmt {
            Stmt::Assign(node) => node.targets.iter().for_each(|target| flow(target, &node.value)),
            Stmt::AnnAssign(node) => {
                if let Some(value) = &node.value {
                    flow(&node.target, value);
                }
            }
            Stmt::AugAssign(node) => flow(&node.target, &node.value),
            Stmt::For(node) => flow(&node.target, &node.iter),
            Stmt::With(node) => {
                for item in &node.items {
                    if let Some(target) = &item.optional_vars {
                        flow(target, &item.context_expr);
                    }
                }
            }
            _ => {}
        }
    }
    for stmt in body.iter().filter(|stmt| !is_definition(stmt)) {
        inner_suites(stmt).into_iter().for_each(|suite| collect_flows(suite, flows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_assignments() {
        let text = "b = a.x\nif b:\n    c, d = f(b)\nfor e in d: pass\nwith g(e) as h: i = 1\nj += 1\n";
        let parsed = ruff_python_parser::parse_module(text).unwrap();
        let mut found: Vec<&str> = derived_in(parsed.suite(), vec!["a"]).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["a", "b", "c", "d", "e", "h"]);
    }
}
