//! Call edges beside what the TypeScript checker, jedi and Go's type checker say of real packages.

#[path = "../accuracy/harness.rs"]
mod harness;

use harness::{Oracle, TREES, head, measure_go, rule};

use crate::systems::{self, System};

/// Measures the trees of some oracle and holds each to its bars.
fn hold(wanted: fn(&Oracle) -> bool) {
    let mut table = vec![head(), rule()];
    let mut short = Vec::new();
    let mut last = None;
    for tree in systems::sample(TREES.iter().filter(|tree| wanted(&tree.oracle)), 2) {
        // Parts of one package are compared in one scan.
        let index = match last.take() {
            Some((package, index)) if package == tree.package => index,
            _ => tree.scan(),
        };
        let row = tree.compare(&index);
        last = Some((tree.package, index));
        let least = if tree.oracle == Oracle::Checker { 400 } else { 20 };
        assert!(row.judged > least && row.concrete > least, "too little was compared: {row}");
        if row.is_short() {
            short.push(format!("{row}\n  {}", row.details.join("\n  ")));
        }
        table.push(row.to_string());
    }
    println!("{}", table.join("\n"));
    assert!(short.is_empty(), "{}\n{}", table.join("\n"), short.join("\n"));
}

#[test]
fn call_edges_are_those_of_the_typescript_checker() {
    if systems::require(System::Node).is_none() {
        return;
    }
    hold(|oracle| matches!(oracle, Oracle::Checker));
}

#[test]
fn call_edges_of_python_are_those_of_jedi() {
    hold(|oracle| matches!(oracle, Oracle::Jedi(_)));
}

#[test]
fn call_edges_of_go_are_those_of_its_type_checker() {
    let Some(go) = systems::require(System::Go) else { return };
    let rows = measure_go(&go);
    assert_eq!(rows.len(), 4);
    for row in rows {
        println!("{row}");
        assert!(!row.is_short(), "{row}\n  {}", row.details().cloned().collect::<Vec<_>>().join("\n  "));
    }
}
