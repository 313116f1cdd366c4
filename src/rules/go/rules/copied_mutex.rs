//! Locks that are copied, and so lock nothing.

use super::prelude::*;
use crate::go::context::is_test_data;

pub const RULE: Rule = Rule {
    tool: Tool::Tapps,
    code: "copied-mutex",
    aliases: &["vet:copylocks"],
    category: Category::Maintainability,
    severity: Severity::High,
    cost: 1_500,
    blocking: false,
    summary: "A lock that is passed by value is another lock in each call, so nothing is guarded.",
    help: "Pass a pointer to what holds the lock.",
    explanation: "A method with a value for a receiver, and a parameter that is no pointer, get a copy. With it the \
        lock is copied, in whatever state it is: two callers then hold two locks and meet in the data that \
        one was to guard. Take a pointer.",
    examples: &[Example {
        path: "example.go",
        bad: r#"package count

import "sync"

type Counter struct {
	lock  sync.Mutex
	value int
}

func (c Counter) Add() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.value++
}
"#,
        good: r#"package count

import "sync"

type Counter struct {
	lock  sync.Mutex
	value int
}

func (c *Counter) Add() {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.value++
}
"#,
    }],
    cwe: None,
    since: "0.1.0",
};

pub(super) const RUN: GoRunner = GoRunner::File(check_copied_mutex);

const LOCKS: &[&str] =
    &["sync.Cond", "sync.Map", "sync.Mutex", "sync.Once", "sync.Pool", "sync.RWMutex", "sync.WaitGroup"];

fn check_copied_mutex(context: &GoContext<'_>, out: &mut Vec<Finding>) {
    if !context.imports_any(&["sync"]) || is_test_data(context.path()) {
        return;
    }
    let types = context.tree().all_nodes().filter(|node| node.kind() == "type_spec");
    let locked: Vec<&str> = types
        .filter(|spec| holds_lock(context, *spec))
        .filter_map(|spec| Some(context.text(field(spec, "name")?)))
        .collect();
    for parameter in context.tree().all_nodes().filter(|node| node.kind() == "parameter_declaration") {
        let Some(of) = field(parameter, "type").map(|of| context.text(of)) else { continue };
        if (LOCKS.contains(&of) || locked.contains(&of)) && is_taken_in(context, parameter) {
            out.push(context.report(&RULE, parameter, format!("`{of}` is copied here, and its lock with it")));
        }
    }
}

/// True for a struct with a field that is a lock itself, not a pointer to one.
fn holds_lock(context: &GoContext<'_>, spec: Node<'_>) -> bool {
    let fields = field(spec, "type").filter(|of| of.kind() == "struct_type").and_then(|of| of.named_child(0));
    fields.is_some_and(|list| {
        children_of_kind(list, "field_declaration")
            // `*sync.Map` is embedded by its address.
            .filter(|one| !context.text(*one).starts_with('*'))
            .any(|one| field(one, "type").is_some_and(|of| LOCKS.contains(&context.text(of))))
    })
}

/// True for receivers and parameters of functions with a body; results and types of functions copy nothing here.
fn is_taken_in(context: &GoContext<'_>, parameter: Node<'_>) -> bool {
    let Some(list) = context.tree().parent_of(parameter) else { return false };
    let Some(function) = context.tree().parent_of(list).filter(|function| context.tree().is_function(*function)) else {
        return false;
    };
    ["receiver", "parameters"].iter().any(|name| field(function, name).is_some_and(|it| it.id() == list.id()))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{assert_clean, assert_found};
    use super::*;

    #[test]
    fn what_is_found() {
        assert_found(
            &RULE,
            &[
                "import \"sync\"\nfunc f(m sync.Mutex) {}",
                "import \"sync\"\ntype A struct { sync.Mutex }\ntype B struct { m sync.RWMutex }\nfunc f(b B) {}",
            ],
        );
    }

    #[test]
    fn what_is_left_alone() {
        assert_clean(
            &RULE,
            &[
                "import \"sync\"\nfunc f(m *sync.Mutex) {}",
                "import \"sync\"\ntype A struct { m *sync.Mutex }\nfunc (a A) f() {}",
                "type A struct { m Mutex }\nfunc (a A) f() {}",
                "import \"sync\"\ntype A struct { *sync.Map }\nfunc (a A) f() {}",
            ],
        );
    }
}
