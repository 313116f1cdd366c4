//! Members of classes, their own and inherited ones, held against what the interpreter sees.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use tapps_docs::symbol::{Symbol, SymbolKind};

use super::docs_extract::wheel_symbols;
use super::docs_project::{FIXTURES, environment};
use super::systems::{self, System};

/// The public names that `dir` tells of each class.
fn members_at_run_time(classes: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut child = Command::new(environment().join("bin/python"))
        .args(["-I", &format!("{FIXTURES}/inspect_members.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(classes.join("\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "the classes cannot be inspected");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn no_member_of_a_closed_class_is_denied() {
    if systems::require(System::CompiledWheels).is_none() {
        return;
    }
    let packages = ["requests-wheel", "fastapi", "pydantic", "sqlalchemy", "django"];
    for locked in systems::sample(packages, 2) {
        let symbols = wheel_symbols(locked);
        let of_classes = |symbol: &&Symbol| symbol.kind == SymbolKind::Class;
        let classes: Vec<&str> = symbols.iter().filter(of_classes).map(|symbol| symbol.path.as_str()).collect();
        let listed: BTreeMap<&str, SymbolKind> =
            symbols.iter().flat_map(|symbol| symbol.paths().map(|path| (path, symbol.kind))).collect();
        let (mut right, mut denied, mut unknown, mut invented, mut closed) = (0, Vec::new(), 0, Vec::new(), 0);
        let seen = members_at_run_time(&classes);
        for symbol in symbols.iter().filter(of_classes) {
            let Some(there) = seen.get(&symbol.path) else { continue };
            closed += usize::from(symbol.open.is_none());
            for name in there {
                let path = format!("{}.{name}", symbol.path);
                match (listed.contains_key(path.as_str()), &symbol.open) {
                    (true, _) => right += 1,
                    (false, Some(_)) => unknown += 1,
                    (false, None) => denied.push(path),
                }
            }
            let below = format!("{}.", symbol.path);
            let of_class = listed.range(below.as_str()..).take_while(|(path, _)| path.starts_with(&below));
            for (path, kind) in of_class {
                let name = &path[below.len()..];
                let is_callable = matches!(kind, SymbolKind::Method | SymbolKind::Property);
                if is_callable && !name.contains('.') && !name.starts_with('_') && !there.contains(name) {
                    invented.push((*path).to_owned());
                }
            }
        }
        let precision = right as f64 / (right + invented.len()) as f64;
        println!("| {locked} | {} | {closed} | {right} | {unknown} | {} | {precision:.3} |", seen.len(), denied.len());
        println!("denied: {:?}\ninvented: {:?}", &denied[..denied.len().min(40)], &invented[..invented.len().min(20)]);
        assert!(right > 100 && precision >= 0.99, "{locked}");
        assert_eq!(denied, Vec::<String>::new(), "{locked}");
    }
}
