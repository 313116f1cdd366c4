//! Types of the standard library that hold others, and what their methods give.

use std::rc::Rc;

use super::types::RustType;

const TYPES: &[&str] = &[
    "Arc", "BTreeMap", "BTreeSet", "Box", "Cell", "Cow", "HashMap", "HashSet", "Mutex", "Option", "Pin", "Rc",
    "RefCell", "Result", "RwLock", "Vec", "VecDeque",
];
/// What begins a path into the standard library.
const CRATES: &[&str] = &["alloc", "core", "std"];
/// Those that may be written without a path.
const PRELUDE: &[&str] = &["Box", "Option", "Result", "Vec"];

/// The name under which a type of the standard library is known here.
pub(super) fn standard_type(path: &[&str]) -> Option<&'static str> {
    let last = path.last()?;
    let name = TYPES.iter().find(|name| *name == last)?;
    let is_standard = path.len() == 1 && PRELUDE.contains(name) || path.first().is_some_and(|it| CRATES.contains(it));
    is_standard.then_some(name)
}

/// True for types that have the methods of what they hold.
pub(super) fn leads_to_argument(name: &str) -> bool {
    matches!(name, "Arc" | "Box" | "Rc")
}

/// What a method gives; none where that is not known here.
pub(super) fn method_result<'a>(
    name: &'static str,
    arguments: &Rc<[RustType<'a>]>,
    method: &str,
) -> Option<RustType<'a>> {
    let whole = || RustType::Standard(name, Rc::clone(arguments));
    let first = || arguments.first().cloned().unwrap_or(RustType::Unknown);
    let option = |of: RustType<'a>| RustType::Standard("Option", Rc::from([of]));
    let is_list = matches!(name, "Vec" | "VecDeque");
    Some(match (name, method) {
        (_, "clone") => whole(),
        ("Option" | "Result", "unwrap" | "expect" | "unwrap_or" | "unwrap_or_else" | "unwrap_or_default") => first(),
        ("Option", "get_or_insert_with" | "get_or_insert" | "insert") => first(),
        ("Option", "as_ref" | "as_mut" | "take" | "replace" | "filter" | "or" | "or_else" | "cloned" | "copied")
        | ("Result", "as_ref" | "as_mut" | "map_err" | "or_else" | "inspect_err") => whole(),
        ("Option", "as_deref" | "as_deref_mut") => option(behind_pointer(first())),
        ("Option", "ok_or" | "ok_or_else") => RustType::Standard("Result", Rc::from([first()])),
        ("Result", "ok") => option(first()),
        ("Mutex", "lock") | ("RwLock", "read" | "write") => RustType::Standard("Result", Rc::from([first()])),
        ("RefCell", "borrow" | "borrow_mut") => first(),
        (_, "iter" | "iter_mut" | "into_iter" | "drain") if is_list => RustType::List(Rc::new(first())),
        (_, "first" | "last" | "first_mut" | "last_mut" | "pop" | "pop_front" | "pop_back" | "front" | "back")
            if is_list =>
        {
            option(first())
        }
        ("HashMap" | "BTreeMap", "get" | "get_mut" | "remove" | "insert") => option(arguments.get(1)?.clone()),
        ("HashMap" | "BTreeMap", "values" | "values_mut" | "into_values") => {
            RustType::List(Rc::new(arguments.get(1)?.clone()))
        }
        ("HashMap" | "BTreeMap", "keys" | "into_keys") => RustType::List(Rc::new(first())),
        _ => return None,
    })
}

/// What a loop over something gets.
pub(super) fn each_of<'a>(of: &RustType<'a>) -> RustType<'a> {
    match of {
        RustType::List(of) => (**of).clone(),
        RustType::Standard("Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "Option", arguments) => {
            arguments.first().cloned().unwrap_or(RustType::Unknown)
        }
        RustType::Standard("HashMap" | "BTreeMap", arguments) => RustType::Tuple(Rc::clone(arguments)),
        RustType::Standard("Box", arguments) => arguments.first().map_or(RustType::Unknown, each_of),
        _ => RustType::Unknown,
    }
}

pub(super) fn behind_pointer(of: RustType<'_>) -> RustType<'_> {
    match of {
        RustType::Standard(name, arguments) if leads_to_argument(name) => {
            arguments.first().cloned().unwrap_or(RustType::Unknown)
        }
        of => of,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_library_are_known_by_path_or_prelude() {
        for (path, expected) in [
            (vec!["Vec"], Some("Vec")),
            (vec!["std", "sync", "Arc"], Some("Arc")),
            (vec!["Arc"], None),
            (vec!["other", "Mutex"], None),
            (vec!["core", "option", "Option"], Some("Option")),
        ] {
            assert_eq!(standard_type(&path), expected, "{path:?}");
        }
    }
}
