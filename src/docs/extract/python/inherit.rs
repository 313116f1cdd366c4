//! What a class takes from its bases.

use std::collections::{BTreeMap, BTreeSet};

use super::export::{HOPS, Modules, ResolvedPythonName};
use super::module::PythonItem;

/// Bases of the standard library that bring no member that could be asked for.
const EMPTY: [&str; 3] = ["ABC", "Generic", "Protocol"];
/// The modules that have them.
const EMPTY_MODULES: [&str; 3] = ["abc", "typing", "typing_extensions"];

/// The definition of a class: the module that has it, and its name there.
pub(super) type ClassKey<'m> = (&'m str, &'m str);

/// A member of a class that another one takes over.
#[derive(Debug, Clone, Copy)]
pub(super) struct InheritedMember<'m> {
    /// The class that defines it.
    pub(super) class: ClassKey<'m>,
    pub(super) file: &'m str,
    pub(super) name: &'m str,
    pub(super) item: &'m PythonItem,
}

/// What the bases of a class bring.
#[derive(Debug, Default)]
pub(super) struct Inherited<'m> {
    pub(super) members: Vec<InheritedMember<'m>>,
    /// Why there may be more.
    pub(super) open: Option<String>,
}

impl Modules {
    /// What a class of a module takes from its bases, nearest first: the first of a name counts, as it does when Python looks.
    pub(super) fn inherited<'m>(&'m self, home: &str, item: &'m PythonItem) -> Inherited<'m> {
        let mut found = Inherited::default();
        let mut names: BTreeSet<&str> = item.members.keys().map(String::as_str).collect();
        self.collect_inherited((home, item), &mut names, &mut BTreeSet::new(), HOPS, &mut found);
        found
    }

    /// True for `object`, and for what `typing` and `abc` have to mark classes with, by whatever name the modules go.
    fn is_empty_base(&self, home: &str, base: &str) -> bool {
        let (module, name) = base.rsplit_once('.').unwrap_or((home, base));
        let of = |module: &str, name: &str| EMPTY_MODULES.contains(&module) && EMPTY.contains(&name);
        match self.resolve(home, base.split('.').next().unwrap_or(base), HOPS) {
            ResolvedPythonName::Foreign { module, name: Some(own) } => of(module, own) || of(own, name),
            ResolvedPythonName::Foreign { module, name: None } => of(module, name),
            _ => base == "object" || of(module, name),
        }
    }

    fn collect_inherited<'m>(
        &'m self,
        (home, item): (&str, &'m PythonItem),
        names: &mut BTreeSet<&'m str>,
        seen: &mut BTreeSet<ClassKey<'m>>,
        hops: usize,
        found: &mut Inherited<'m>,
    ) {
        let Some(left) = hops.checked_sub(1) else { return };
        let module = self.modules.get(home);
        if module.is_some_and(|module| module.stub) {
            found.open.get_or_insert_with(|| format!("of `{home}` a stub is read, which may leave names out"));
        } else if module.is_some_and(|module| module.sets_attributes) {
            found.open.get_or_insert_with(|| format!("`{home}` sets attributes by computed names"));
        }
        for base in &item.bases {
            match self.resolve(home, base, left) {
                ResolvedPythonName::Item { module, file, name, item } if item.kind.holds_members() => {
                    if !seen.insert((module, name)) {
                        continue;
                    }
                    if item.members.values().any(|member| member.typing) {
                        found.open.get_or_insert_with(|| format!("of its base `{base}` type checkers see more"));
                    }
                    if let Some(why) = &item.open {
                        found.open.get_or_insert_with(|| format!("of its base `{base}`: {why}"));
                    }
                    // What only type checkers see there may be missing in what is derived.
                    for (member, below) in item.members.iter().filter(|(_, below)| !below.typing) {
                        if names.insert(member) {
                            found.members.push(InheritedMember {
                                class: (module, name),
                                file,
                                name: member,
                                item: below,
                            });
                        }
                    }
                    self.collect_inherited((module, item), names, seen, left, found);
                }
                _ if self.is_empty_base(home, base) => {}
                ResolvedPythonName::Compiled { .. } => {
                    found.open.get_or_insert_with(|| format!("its base `{base}` is compiled"));
                }
                ResolvedPythonName::Foreign { .. } => {
                    found.open.get_or_insert_with(|| format!("its base `{base}` is of another library"));
                }
                _ => {
                    found.open.get_or_insert_with(|| format!("its base `{base}` is not in the library's own modules"));
                }
            }
        }
    }
}

/// Where each inherited member is reached, by the class that defines it and its name.
pub(super) type InheritedPaths<'m> = BTreeMap<(ClassKey<'m>, &'m str), (InheritedMember<'m>, BTreeSet<String>)>;

#[cfg(test)]
mod tests {
    use super::super::testing::{paths, symbols_of_files};

    #[test]
    fn members_of_private_bases_are_those_of_the_class() {
        let symbols = symbols_of_files(&[
            ("demo/__init__.py", "from ._client import Client, Async\n__all__ = ['Client', 'Async']\n"),
            (
                "demo/_client.py",
                "from ._base import Base\nclass Client(Base):\n    def get(self): ...\n    def close(self): ...\nclass Async(Base): ...\n",
            ),
            (
                "demo/_base.py",
                "class Root:\n    def close(self): ...\n    def wait(self): ...\nclass Base(Root):\n    def build(self, url: str) -> int:\n        \"\"\"Builds.\"\"\"\n",
            ),
        ]);
        assert_eq!(
            paths(&symbols),
            [
                "demo.Async",
                "demo.Async.build",
                "demo.Async.close",
                "demo.Async.wait",
                "demo.Client",
                "demo.Client.build",
                "demo.Client.close",
                "demo.Client.get",
                "demo.Client.wait",
            ]
        );
        let build = symbols.iter().find(|symbol| symbol.paths().any(|path| path == "demo.Client.build")).unwrap();
        assert_eq!((build.signature.as_str(), build.file.as_str()), ("build(url: str) -> int", "demo/_base.py"));
        assert!(symbols.iter().all(|symbol| symbol.open.is_none()));
    }

    #[test]
    fn members_of_public_bases_are_found_under_both_names() {
        let symbols = symbols_of_files(&[(
            "demo/__init__.py",
            "class A:\n    def one(self): ...\nclass B(A):\n    def two(self): ...\nclass C(B, A): ...\n",
        )]);
        let one = symbols.iter().find(|symbol| symbol.path == "demo.A.one").unwrap();
        assert_eq!(one.aliases, ["demo.B.one", "demo.C.one"]);
    }

    #[test]
    fn what_bases_elsewhere_bring_is_not_known() {
        let symbols = symbols_of_files(&[(
            "demo/__init__.py",
            "from other import Base\nfrom abc import ABC\nimport asyncio, typing as t\nclass A(Base): ...\nclass B(A): ...\nclass C(ABC, t.Protocol, object): ...\nclass F(asyncio.Protocol): ...\nclass D(dict): ...\nclass E(E): ...\n",
        )]);
        let open = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap().open.clone();
        assert_eq!(open("demo.A").as_deref(), Some("its base `Base` is of another library"));
        assert_eq!(open("demo.B").as_deref(), Some("its base `Base` is of another library"));
        assert_eq!(open("demo.C"), None);
        assert!(open("demo.F").is_some());
        assert_eq!(open("demo.D").as_deref(), Some("its base `dict` is not in the library's own modules"));
        assert_eq!(open("demo.E"), None);
    }

    #[test]
    fn what_a_stub_leaves_out_and_type_checkers_alone_see_keeps_a_class_open() {
        let symbols = symbols_of_files(&[
            ("demo/__init__.py", "from ._a import A, B\n__all__ = ['A', 'B']\n"),
            ("demo/_a.py", "class A:\n    if TYPE_CHECKING:\n        def seen(self): ...\nclass B(A): ...\n"),
            ("demo/native.pyi", "class C: ...\n"),
        ]);
        let all = paths(&symbols);
        assert!(all.contains(&"demo.A.seen") && !all.contains(&"demo.B.seen"), "{all:?}");
        let open = |path: &str| symbols.iter().find(|symbol| symbol.path == path).unwrap().open.clone();
        assert_eq!(open("demo.B").as_deref(), Some("of its base `A` type checkers see more"));
        assert_eq!(
            open("demo.native.C").as_deref(),
            Some("of `demo.native` a stub is read, which may leave names out")
        );
        assert_eq!(open("demo.native").as_deref(), Some("a stub is read of it, which may leave names out"));
    }
}
