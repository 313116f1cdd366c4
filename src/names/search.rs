//! Looking for a name in whole texts: what is written there as a text, or assigned to something, may make it.

use memchr::memmem;

use super::libraries::Libraries;
use tapps_sandbox::{Boundary, WalkOptions};

/// The largest file that is looked into, in bytes.
const LARGEST: u64 = 4 << 20;

/// What makes a name out of a place where it stands in a text.
pub(crate) type Makes = fn(&[u8], usize, usize) -> bool;

/// Whether any file of a library has a name at a place that makes it.
pub(crate) fn library_makes(libraries: &Libraries<'_>, top: &str, name: &str, makes: Makes) -> bool {
    let finder = memmem::Finder::new(name);
    libraries.files_below(top).iter().any(|path| {
        libraries.text(path).is_none_or(|text| {
            let bytes = text.as_bytes();
            finder.find_iter(bytes).any(|at| makes(bytes, at, name.len()))
        })
    })
}

/// Whether any file of a library may set a name of a module from outside: by that name, or by names that it works out while
/// it holds this one as a text.
pub(crate) fn library_makes_in_module(libraries: &Libraries<'_>, top: &str, name: &str) -> bool {
    let finder = memmem::Finder::new(name);
    libraries.files_below(top).iter().any(|path| {
        libraries.text(path).is_none_or(|text| {
            let bytes = text.as_bytes();
            let places = || finder.find_iter(bytes);
            places().any(|at| sets_name_of_module(&text, at, name.len()))
                || (places().any(|at| makes_name(bytes, at, name.len())) && sets_modules(&text))
        })
    })
}

/// Whether any file of a library may put a module where none is: it writes its name, or the last part of it, as a text, beside
/// the table of modules.
pub(crate) fn library_makes_module(libraries: &Libraries<'_>, top: &str, part: &str) -> bool {
    let finder = memmem::Finder::new(part);
    libraries.files_below(top).iter().any(|path| {
        libraries.text(path).is_none_or(|text| {
            let bytes = text.as_bytes();
            let is_text = |at: usize| matches!(bytes.get(at + part.len()), Some(b'"' | b'\''));
            finder.find_iter(bytes).any(is_text) && text.contains("sys.modules")
        })
    })
}

/// Whether a text may set names of a module from outside: `setattr(module, …)`, `vars(module)[…]`, `module.__dict__.update(…)`.
fn sets_modules(text: &str) -> bool {
    let by_setattr = text.match_indices("setattr(").any(|(at, function)| {
        let rest = &text[at + function.len()..];
        let end = rest.find(',').unwrap_or(rest.len());
        !text[..at].ends_with(is_of_word) && may_be_module(rest[..end].trim(), text)
    });
    let writes =
        |behind: &str| behind.starts_with('[') || behind.starts_with(".update(") || behind.starts_with(".setdefault(");
    let by_vars = text.match_indices("vars(").any(|(at, function)| {
        let rest = &text[at + function.len()..];
        let Some(end) = rest.find(')') else { return false };
        !text[..at].ends_with(is_of_word) && writes(&rest[end + 1..]) && may_be_module(rest[..end].trim(), text)
    });
    let by_globals = text.match_indices("globals()").any(|(at, table)| {
        let behind = &text[at + table.len()..];
        let behind = &behind[..behind.floor_char_boundary(behind.len().min(200))];
        behind.starts_with(".update(")
            || behind.starts_with(".setdefault(")
            || behind.starts_with('[') && sets_item(behind)
    });
    by_setattr
        || by_vars
        || by_globals
        || text.match_indices(".__dict__").any(|(at, dict)| {
            let start = text[..at].rfind([' ', '\n', '(', ',', '=']).map_or(0, |before| before + 1);
            writes(&text[at + dict.len()..]) && may_be_module(&text[start..at], text)
        })
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.')
}

/// Whether an expression may be a module: what its name says, or an import of the file.
fn may_be_module(expression: &str, text: &str) -> bool {
    let mut words = expression.split(|c: char| !c.is_alphanumeric());
    let named = words.any(|word| matches!(word, "mod" | "module" | "modules" | "package" | "pkg" | "import" | "sys"));
    named || {
        let is_import = |line: &str| line.trim_start().starts_with("import ") || line.trim_start().starts_with("from ");
        let names_it = |line: &str| {
            let bytes = line.as_bytes();
            memmem::find_iter(bytes, expression).any(|at| is_whole_word(bytes, at, expression.len()))
        };
        !expression.is_empty() && text.lines().filter(|line| is_import(line)).any(names_it)
    }
}

/// Whether a name of something that may be a module is set at a place, by that name: `module.name =`,
/// `setattr(module, "name", …)`.
fn sets_name_of_module(text: &str, at: usize, length: usize) -> bool {
    /// How far in front of the name a function or what is assigned to begins at most, in bytes.
    const FURTHEST: usize = 80;
    let before = &text[text.floor_char_boundary(at.saturating_sub(FURTHEST))..at];
    if let Some(holder) = before.strip_suffix('.') {
        let start = holder.rfind([' ', '\n', '(', ',', '=', ';']).map_or(0, |before| before + 1);
        return assigns_attribute(text.as_bytes(), at, length) && may_be_module(&holder[start..], text);
    }
    let named = before.ends_with(['"', '\'']);
    named
        && before.rsplit_once("setattr(").is_some_and(|(_, arguments)| {
            arguments.split_once(',').is_some_and(|(holder, _)| may_be_module(holder.trim(), text))
        })
}

/// Whether any file of the project assigns an attribute of this name, or holds the name as a text of its own.
pub(crate) fn project_makes(tree: &Boundary, name: &str) -> bool {
    let finder = memmem::Finder::new(name);
    let Ok(paths) = tree.walk(&tree.root_as_project_path(), &WalkOptions::default()) else { return true };
    paths.iter().filter(|path| path.as_str().ends_with(".py")).any(|path| {
        tree.read(path, LARGEST)
            .map_or(true, |bytes| finder.find_iter(&bytes).any(|at| makes_name(&bytes, at, name.len())))
    })
}

/// Whether what stands at a place may make a name: `.name =`, `"name"`, `'name'`.
pub(crate) fn makes_name(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let after = text.get(at + length).copied().unwrap_or(b' ');
    matches!(after, b'"' | b'\'') && !is_word(before) || assigns_attribute(text, at, length)
}

/// Whether an attribute is assigned at a place: `.name =`.
pub(crate) fn assigns_attribute(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let rest = text.get(at + length..).unwrap_or_default();
    let after = rest.first().copied().unwrap_or(b' ');
    if is_word(after) || before != b'.' {
        return false;
    }
    let mut following = rest.iter().skip_while(|byte| **byte == b' ');
    match (following.next(), following.next()) {
        (Some(b'='), second) => second != Some(&b'='),
        // With an annotation, or one of several targets.
        (Some(b':' | b','), _) => true,
        _ => false,
    }
}

/// Whether a table of this name may get more keys at a place, or be another one from there on: `name[…] =`, `name.update(…)`,
/// `name |= …`, `other.name =`, `fill(name)`, `also = name`, `import name as other`.
pub(crate) fn fills(text: &[u8], at: usize, length: usize) -> bool {
    /// How far around a name is looked, in bytes.
    const WINDOW: usize = 300;
    const LOOKS: [&str; 7] = ["copy(", "count(", "get(", "index(", "items(", "keys(", "values("];
    if !is_whole_word(text, at, length) {
        return false;
    }
    let around =
        |from: usize, to: usize| String::from_utf8_lossy(text.get(from..to.min(text.len())).unwrap_or_default());
    let (before, after) = (around(at.saturating_sub(WINDOW), at), around(at + length, at + length + WINDOW));
    let (before, rest) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
    if let Some(method) = after.strip_prefix('.') {
        return !LOOKS.iter().any(|looks| method.starts_with(looks));
    }
    if after.starts_with('[') {
        return before.ends_with("del") || sets_item(&after);
    }
    // Arguments may stand in lines of their own, and so may what is imported.
    let before = before.trim_end();
    let opened = if before.ends_with(['(', ',']) { before.rfind('(') } else { None };
    let line = before[..opened.unwrap_or(before.len())].rsplit('\n').next().unwrap_or_default().trim_start();
    let is_import = line.starts_with("from ") || line.starts_with("import ");
    let operation = ["+=", "|=", "-=", "&=", "^=", "as "].iter().any(|operation| rest.starts_with(operation));
    let bound_elsewhere = before.ends_with('.') && rest.starts_with('=') && !rest.starts_with("==");
    let ends = rest.is_empty() || rest.starts_with([',', ')', '\n', '\r', '#']);
    operation || bound_elsewhere || ends && !is_import && is_handed_over(before)
}

/// Whether an item is set behind a bracket that opens here, as far as that can be seen.
fn sets_item(after: &str) -> bool {
    if !after.contains(']') {
        return true;
    }
    after.match_indices(']').any(|(at, _)| {
        let rest = after[at + 1..].trim_start_matches(' ');
        let operation = rest.trim_start_matches(['+', '-', '|', '&', '^', '*', '/', '%']);
        operation.starts_with('=') && !operation.starts_with("==")
    })
}

/// Whether what stands behind this is given to a function that may do more than look at it, or gets another name.
fn is_handed_over(before: &str) -> bool {
    const ONLY_READ: [&str; 9] =
        ["dict(", "enumerate(", "frozenset(", "iter(", "len(", "list(", "set(", "sorted(", "tuple("];
    let compared = ["==", "!=", "<=", ">="].iter().any(|operator| before.ends_with(operator));
    let opened = before.ends_with('(') && !ONLY_READ.iter().any(|function| before.ends_with(function));
    opened || before.ends_with([',', '*']) || before.ends_with('=') && !compared
}

/// Whether a name stands at a place as a word of its own.
pub(crate) fn is_whole_word(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before)).copied().unwrap_or(b' ');
    let after = text.get(at + length).copied().unwrap_or(b' ');
    !is_word(before) && !is_word(after)
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rstest::rstest]
    #[case("setattr(module, name, value)", true)]
    #[case("globals().update({one: 1 for one in names})", true)]
    #[case("globals()[one] = 1", true)]
    #[case("return globals()[one]", false)]
    #[case("import demo.parts as parts\nfor one in all: setattr(parts, one, 1)", true)]
    #[case("vars(sys.modules[__name__])[name] = 1", true)]
    #[case("for name, value in vars(module).items(): ...", false)]
    #[case("setattr(model, name, value)", false)]
    #[case("package.__dict__.update(more)", true)]
    #[case("setattr(self, name, value)", false)]
    #[case("from demo import Part\nsetattr(part, 'name', 1)", false)]
    #[case("cls.__dict__[name]", false)]
    fn what_may_set_names_of_a_module(#[case] text: &str, #[case] expected: bool) {
        assert_eq!(sets_modules(text), expected, "{text}");
    }

    #[rstest::rstest]
    #[case("setattr(module, 'name', 1)", true)]
    #[case("import demo.parts\nfrom demo import parts\nparts.name = 1", true)]
    #[case("sys.modules['demo'].name = 1", true)]
    #[case("self.name = 1", false)]
    #[case("self.module_of.other.name == 1", false)]
    #[case("__all__ = ['name']", false)]
    #[case("setattr(module, other, 1); x = name", false)]
    fn a_name_of_a_module_is_set_by_that_name(#[case] text: &str, #[case] expected: bool) {
        let found = text.match_indices("name").any(|(at, name)| sets_name_of_module(text, at, name.len()));
        assert_eq!(found, expected, "{text}");
    }

    #[rstest::rstest]
    #[case("name['a'] = 1", true)]
    #[case("name[key] == 1", false)]
    #[case("x = name[key]", false)]
    #[case("name.update(more)", true)]
    #[case("lib.name.add('a')", true)]
    #[case("found = name.get(key)", false)]
    #[case("name |= more", true)]
    #[case("if key in name:", false)]
    #[case("names['a'] = 1", false)]
    #[case("name['a']=1", true)]
    #[case("name[\n    'a'\n] = 1", true)]
    #[case("del name['a']", true)]
    #[case("fill(name)", true)]
    #[case("fill(1, name, 2)", true)]
    #[case("fill(into=name)", true)]
    #[case("fill(\n    1,\n    name,\n)", true)]
    #[case("from lib import (\n    other,\n    name,\n)", false)]
    #[case("also = name\n", true)]
    #[case("lib.name = {}", true)]
    #[case("from lib import name as other", true)]
    #[case("from lib import other, name\n", false)]
    #[case("name = {'a': 1}", false)]
    #[case("name: dict = {'a': 1}", false)]
    #[case("len(name)", false)]
    #[case("x == name\n", false)]
    #[case("for one in name:", false)]
    fn only_what_fills_a_table_counts(#[case] text: &str, #[case] expected: bool) {
        let bytes = text.as_bytes();
        assert_eq!(memmem::find_iter(bytes, "name").any(|at| fills(bytes, at, 4)), expected, "{text}");
    }

    #[rstest::rstest]
    #[case("mod.name = 1", true)]
    #[case("mod.name: int = 1", true)]
    #[case("mod.name == 1", false)]
    #[case("mod.name()", false)]
    #[case("x = {'name': 1}", true)]
    #[case("x = \"a:name\"", true)]
    #[case("mod.names = 1", false)]
    #[case("def name(): ...", false)]
    #[case("# the name of it", false)]
    fn only_what_may_make_the_name_counts(#[case] text: &str, #[case] expected: bool) {
        let bytes = text.as_bytes();
        let found = memmem::find_iter(bytes, "name").any(|at| makes_name(bytes, at, 4));
        assert_eq!(found, expected, "{text}");
    }
}
