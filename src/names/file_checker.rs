//! One file: what it uses of libraries, use by use.

use std::collections::{BTreeMap, BTreeSet};

use ruff_text_size::TextRange;

use super::check::CheckedNames;
use super::libraries::FoundModule;
use super::resolve::{Resolver, Step, Target};
use super::rules::{undeclared_dependency, unknown_api, unknown_argument, unknown_module};
use super::search::{
    Makes, assigns_attribute, fills, is_whole_word, library_makes, library_makes_in_module, library_makes_module,
    makes_name, project_makes,
};
use super::stamp::NamesStamp;
use super::standard::{is_standard, standard_modules};
use super::surface::{CallArguments, Misfit, Signature};
use super::uses::{LibraryUses, Origin, Path, Use, What};
use tapps_base::finding::{Finding, Fix};
use tapps_base::nearest;
use tapps_base::source::Source;
use tapps_sandbox::{Boundary, WalkOptions};
use tapps_syntax::python::lines::SourceLines;
use tapps_syntax::python::type_comment::ignores_types;

/// mypy's codes for what is not there, and for arguments that are not taken.
const OVERRULED: [&str; 5] = ["attr-defined", "call-arg", "call-overload", "import-not-found", "union-attr"];

/// Checks one file.
pub(crate) struct FileChecker<'e, 's> {
    resolver: Resolver<'e>,
    tree: &'e Boundary,
    source: &'s Source,
    lines: SourceLines<'s>,
    /// What the project itself asks for.
    declared: &'e BTreeSet<String>,
    local: BTreeMap<String, bool>,
    found: BTreeMap<(u32, &'static str), Finding>,
    /// The modules at the top of libraries that were searched for a name.
    searched: BTreeSet<String>,
    stamp: NamesStamp,
}

impl<'e, 's> FileChecker<'e, 's> {
    pub(crate) fn new(
        resolver: Resolver<'e>,
        tree: &'e Boundary,
        source: &'s Source,
        declared: &'e BTreeSet<String>,
    ) -> Self {
        Self {
            resolver,
            tree,
            source,
            lines: SourceLines::new(source.text().unwrap_or_default()),
            declared,
            local: BTreeMap::new(),
            found: BTreeMap::new(),
            searched: BTreeSet::new(),
            stamp: NamesStamp::default(),
        }
    }

    pub(crate) fn check(mut self, uses: &LibraryUses) -> CheckedNames {
        for one in &uses.uses {
            let top = top_of_use(one).to_owned();
            if one.place.guarded || is_standard(&top) || self.is_local(&top) {
                continue;
            }
            self.stamp.references += 1;
            // Stubs that are not installed may have more names for type checkers, and a line may know better than they.
            let left_out =
                one.place.type_only && !self.resolver.libraries.has_types(&top) || self.overrules_types(one.range);
            if left_out || !self.check_use(one, &top, uses) {
                self.stamp.unknown += 1;
            }
        }
        let environment = self.resolver.libraries.environment;
        self.stamp.complete = environment.is_complete();
        self.stamp.digest = self.resolver.digest(&self.searched);
        let stamp = (self.stamp.references > 0).then_some(self.stamp);
        CheckedNames { findings: self.found.into_values().collect(), stamp }
    }

    /// Whether the line says that a type checker is wrong about what it names or calls.
    fn overrules_types(&self, range: TextRange) -> bool {
        let rest = self.lines.text().get(range.end().to_usize()..).unwrap_or_default();
        ignores_types(rest.lines().next().unwrap_or_default(), &OVERRULED)
    }

    /// Checks one use; false when nothing can be said of it.
    fn check_use(&mut self, one: &Use, top: &str, uses: &LibraryUses) -> bool {
        match &one.what {
            What::Import(module) => {
                let known = self.check_import(module, top, one.range);
                self.check_declared(top, one.range);
                known
            }
            What::ImportName { module, name } => {
                let holder = Target::Module(module.clone());
                if matches!(self.resolver.module(module), FoundModule::Missing) {
                    return false;
                }
                match self.resolver.name_in_module(module, name) {
                    Step::Found(_) => true,
                    Step::Unknown => false,
                    Step::Missing => self.say_missing((&holder, false), module, name, one.range, uses),
                    Step::MissingUnlessNamed => self.say_missing((&holder, true), module, name, one.range, uses),
                }
            }
            What::Path { path, ranges, call } => self.check_path(path, (ranges, one.range), call.as_ref(), uses),
        }
    }

    fn check_path(
        &mut self,
        path: &Path,
        (ranges, range): (&[TextRange], TextRange),
        call: Option<&(CallArguments, Vec<TextRange>)>,
        uses: &LibraryUses,
    ) -> bool {
        let Some(mut target) = self.begin(path) else { return false };
        // The names of the path itself stand last; those before them belong to where it begins.
        let first = path.names.len().saturating_sub(ranges.len());
        for (at, name) in path.names.iter().enumerate() {
            match self.resolver.member(&target, name) {
                Step::Found(found) => target = found,
                Step::Unknown => return false,
                step @ (Step::Missing | Step::MissingUnlessNamed) => {
                    let Some(range) = at.checked_sub(first).and_then(|at| ranges.get(at)) else { return false };
                    let unless_named = matches!(step, Step::MissingUnlessNamed);
                    let shown = self.describe(path, at);
                    return self.say_missing((&target, unless_named), &shown, name, *range, uses);
                }
            }
        }
        let Some((arguments, keyword_ranges)) = call else { return true };
        if let Some(signatures) = self.resolver.signatures(&target) {
            let shown = self.describe(path, path.names.len());
            self.check_arguments(&shown, &signatures, arguments, (keyword_ranges, range), path);
        }
        true
    }

    /// Where a path begins.
    fn begin(&self, path: &Path) -> Option<Target> {
        let given = match &path.origin {
            Origin::Module(module) => {
                let is_missing = matches!(self.resolver.module(module), FoundModule::Missing);
                return (!is_missing).then(|| Target::Module(module.clone()));
            }
            Origin::Name { module, name } => {
                return match self.resolver.name_in_module(module, name) {
                    Step::Found(target) => Some(target),
                    Step::Missing | Step::MissingUnlessNamed | Step::Unknown => None,
                };
            }
            Origin::InstanceOf(path) => self.resolver.called(&self.follow(path)?),
            Origin::Awaited(path) => self.resolver.awaited(&self.follow(path)?),
            Origin::Entered(path, asynchronous) => self.resolver.entered(&self.follow(path)?, *asynchronous),
        };
        (!matches!(given, Target::Something)).then_some(given)
    }

    fn follow(&self, path: &Path) -> Option<Target> {
        path.names.iter().try_fold(self.begin(path)?, |target, name| match self.resolver.member(&target, name) {
            Step::Found(found) => Some(found),
            Step::Missing | Step::MissingUnlessNamed | Step::Unknown => None,
        })
    }

    /// The first names of a path from its beginning, for people; what a function gives has its call in it.
    fn describe(&self, path: &Path, names: usize) -> String {
        let begin = match &path.origin {
            Origin::Module(module) => module.clone(),
            Origin::Name { module, name } => format!("{module}.{name}"),
            Origin::InstanceOf(of) | Origin::Awaited(of) | Origin::Entered(of, _) => {
                let of_function = matches!(self.follow(of), Some(Target::Function(_)));
                let call = if of_function { "()" } else { "" };
                format!("{}{call}", self.describe(of, of.names.len()))
            }
        };
        std::iter::once(begin.as_str())
            .chain(path.names.iter().take(names).map(String::as_str))
            .collect::<Vec<_>>()
            .join(".")
    }

    fn check_arguments(
        &mut self,
        shown: &str,
        signatures: &[Signature],
        arguments: &CallArguments,
        (keyword_ranges, called): (&[TextRange], TextRange),
        path: &Path,
    ) {
        let misfits: Option<Vec<Misfit>> = signatures.iter().map(|one| one.misfit(arguments)).collect();
        // One signature that fits is enough.
        let Some(misfit) = misfits.and_then(|misfits| misfits.into_iter().next()) else { return };
        let Some(signature) = signatures.first() else { return };
        let of = self.version_of(top_of(path));
        let takes = format!("it takes ({})", signature.text());
        let (range, message, fix) = match misfit {
            Misfit::Keyword(name) => {
                let at = arguments.keywords.iter().position(|keyword| *keyword == name);
                let Some(range) = at.and_then(|at| keyword_ranges.get(at)) else { return };
                let near = nearest::names(&name, signature.keywords());
                let fix = near.first().map(|near| format!("write `{near}` for `{name}`"));
                (*range, format!("`{shown}`{of} takes no argument `{name}`{}", did_you_mean(&near)), fix)
            }
            Misfit::TooMany(most) => {
                let given = arguments.positional;
                (called, format!("`{shown}`{of} takes at most {most} arguments by place, {given} are given"), None)
            }
        };
        let mut finding = self.finding(&unknown_argument::RULE, range, message).help(takes);
        finding.fix = fix.map(|message| Fix { message, safe: false });
        self.enter(range, unknown_argument::RULE.code, finding);
    }

    /// Says that something is not there, unless it may be made where nobody sees; true when it was said.
    fn say_missing(
        &mut self,
        (holder, unless_named): (&Target, bool),
        shown: &str,
        name: &str,
        range: TextRange,
        uses: &LibraryUses,
    ) -> bool {
        let tops = self.resolver.tops_of(holder);
        let may_be_made = uses.made.contains(name)
            || tops.iter().any(|top| self.may_be_made_by_library(top, name, matches!(holder, Target::Module(_))))
            || unless_named && !self.raises_for(holder, name) && self.any_makes(&tops, name, is_whole_word)
            || project_makes(self.tree, name);
        if may_be_made {
            return false;
        }
        let known = self.resolver.names_of(holder);
        let near = nearest::names(name, known.iter().map(String::as_str));
        let of = tops.first().map_or_else(String::new, |top| self.version_of(top));
        let message = format!("`{shown}`{of} has no `{name}`{}", did_you_mean(&near));
        let mut finding = self.finding(&unknown_api::RULE, range, message);
        if let Some(near) = near.first() {
            let signature = match self.resolver.member(holder, near) {
                Step::Found(target) => self.resolver.signatures(&target).and_then(|all| Some(all.first()?.text())),
                Step::Missing | Step::MissingUnlessNamed | Step::Unknown => None,
            };
            let shape = signature.map_or_else(String::new, |text| format!("({text})"));
            finding.fix = Some(Fix { message: format!("write `{near}{shape}` for `{name}`"), safe: false });
        }
        self.enter(range, unknown_api::RULE.code, finding);
        true
    }

    /// Whether any of some libraries has a name at a place that makes it.
    fn any_makes(&self, tops: &BTreeSet<String>, name: &str, makes: Makes) -> bool {
        tops.iter().any(|top| library_makes(self.resolver.libraries, top, name, makes))
    }

    /// Whether a module certainly raises for a name, by tables that are written in one place.
    fn raises_for(&self, holder: &Target, name: &str) -> bool {
        let Target::Module(module) = holder else { return false };
        let Some(tables) = self.resolver.raises_for(module, name) else { return false };
        let tops = self.resolver.tops_of(holder);
        !tables.iter().any(|table| self.any_makes(&tops, table, fills))
    }

    /// Enters that a library and those that are built upon it are searched, which are given.
    fn search_from(&mut self, top: &str) -> Vec<String> {
        let above = self.resolver.libraries.tops_building_on(top);
        self.searched.insert(top.to_owned());
        self.searched.extend(above.iter().cloned());
        above
    }

    /// Whether a library makes a name where nobody sees, or one that is built upon it does.
    fn may_be_made_by_library(&mut self, top: &str, name: &str, of_module: bool) -> bool {
        let (libraries, above) = (self.resolver.libraries, self.search_from(top));
        // Attributes of classes are set by texts; those of modules hardly ever, and where they are it can be seen.
        if of_module {
            return library_makes_in_module(libraries, top, name)
                || above.iter().any(|other| library_makes_in_module(libraries, other, name));
        }
        library_makes(libraries, top, name, makes_name)
            || above.iter().any(|other| library_makes(libraries, other, name, assigns_attribute))
    }

    /// Whether a library, or one that is built upon it, may put a module where none is.
    fn may_be_put_in_place(&mut self, top: &str, part: &str) -> bool {
        let (libraries, above) = (self.resolver.libraries, self.search_from(top));
        std::iter::once(top)
            .chain(above.iter().map(String::as_str))
            .any(|top| library_makes_module(libraries, top, part))
    }

    /// Checks that a module is there; false when that cannot be said.
    fn check_import(&mut self, module: &str, top: &str, range: TextRange) -> bool {
        let libraries = self.resolver.libraries;
        let mut parent = String::new();
        for part in module.split('.') {
            let name = if parent.is_empty() { part.to_owned() } else { format!("{parent}.{part}") };
            if matches!(self.resolver.module(&name), FoundModule::Missing) {
                if parent.is_empty() {
                    return self.check_top(top, range);
                }
                // A module is imported by its place; what its package has besides under that name is none.
                if self.resolver.may_find_modules_elsewhere(&parent) || self.may_be_put_in_place(top, part) {
                    return false;
                }
                let known = libraries.submodules(&parent);
                let near = nearest::names(part, known.iter().map(String::as_str));
                let of = self.version_of(top);
                let message = format!("`{parent}`{of} has no module `{part}`{}", did_you_mean(&near));
                let mut finding = self.finding(&unknown_module::RULE, range, message);
                finding.fix = near
                    .first()
                    .map(|near| Fix { message: format!("import `{parent}.{near}` for `{name}`"), safe: false });
                self.enter(range, unknown_module::RULE.code, finding);
                return true;
            }
            parent = name;
        }
        true
    }

    /// Checks a module at the top that no library has; false when something else may bring it.
    fn check_top(&mut self, top: &str, range: TextRange) -> bool {
        let environment = self.resolver.libraries.environment;
        if !environment.is_complete() || !environment.bringing(top).is_empty() {
            return false;
        }
        // What is not there may be wanted all the same by code that runs elsewhere; a misspelling is wanted by nobody.
        let mut known: Vec<&str> = standard_modules().collect();
        known.extend(environment.tops());
        let near = nearest::names(top, known);
        let Some(near) = near.into_iter().find(|near| is_misspelling(top, near)) else { return false };
        if self.is_anywhere(top) {
            return false;
        }
        let message =
            format!("`{top}` is neither in the project nor in a library that is installed; did you mean `{near}`?");
        let mut finding = self.finding(&unknown_module::RULE, range, message);
        finding.fix = Some(Fix { message: format!("write `{near}` for `{top}`"), safe: false });
        self.enter(range, unknown_module::RULE.code, finding);
        true
    }

    /// Says that a library is used that the project does not ask for, where it says what it asks for.
    fn check_declared(&mut self, top: &str, range: TextRange) {
        let brought = self.resolver.libraries.environment.bringing(top);
        if self.declared.is_empty() || brought.is_empty() {
            return;
        }
        let asked = |library: &str| {
            let described =
                library.strip_prefix("types-").or_else(|| library.strip_suffix("-stubs")).unwrap_or(library);
            self.declared.contains(library) || self.declared.contains(described)
        };
        if brought.iter().any(|one| asked(&one.library)) {
            return;
        }
        let Some(library) = brought.first().map(|one| one.library.clone()) else { return };
        let message = format!("`{top}` is of {library}, which the project does not ask for");
        let finding = self.finding(&undeclared_dependency::RULE, range, message);
        self.enter(range, undeclared_dependency::RULE.code, finding);
    }

    fn finding(&self, rule: &tapps_base::rule::Rule, range: TextRange, message: String) -> Finding {
        let start = range.start();
        rule.finding(message).at(self.lines.line(start), self.lines.column(start), self.lines.last_line(range))
    }

    fn enter(&mut self, range: TextRange, code: &'static str, finding: Finding) {
        self.found.entry((range.start().into(), code)).or_insert(finding);
    }

    /// The version of the library that brings a module, in words.
    fn version_of(&self, top: &str) -> String {
        match self.resolver.libraries.environment.bringing(top) {
            [one] => format!(" of {} {}", one.library, one.version),
            _ => String::new(),
        }
    }

    /// Whether a module of the project has this name: near the file, or where projects keep theirs.
    fn is_local(&mut self, top: &str) -> bool {
        if let Some(known) = self.local.get(top) {
            return *known;
        }
        let mut folders: Vec<&str> = vec!["", "src", "lib", "python"];
        let mut path = self.source.path();
        while let Some((folder, _)) = path.rsplit_once('/') {
            folders.push(folder);
            path = folder;
        }
        let is_there = |path: String| self.tree.resolve(&path).is_ok_and(|path| self.tree.is_there(&path));
        let local = folders.into_iter().any(|folder| {
            let base = if folder.is_empty() { top.to_owned() } else { format!("{folder}/{top}") };
            is_there(format!("{base}.py")) || is_there(format!("{base}.pyi")) || is_there(base)
        });
        self.local.insert(top.to_owned(), local);
        local
    }

    /// Whether a file or folder of this name lies anywhere in the project.
    fn is_anywhere(&self, top: &str) -> bool {
        let file = format!("{top}.py");
        self.tree.walk(&self.tree.root_as_project_path(), &WalkOptions::default()).map_or(true, |paths| {
            paths.iter().any(|path| path.as_str().split('/').any(|part| part == top || part == file))
        })
    }
}

fn top_of_use(one: &Use) -> &str {
    let module = match &one.what {
        What::Import(module) | What::ImportName { module, .. } => module,
        What::Path { path, .. } => return top_of(path),
    };
    module.split('.').next().unwrap_or(module)
}

/// The module at the top of where a path begins.
fn top_of(path: &Path) -> &str {
    match &path.origin {
        Origin::Module(module) | Origin::Name { module, .. } => module.split('.').next().unwrap_or(module),
        Origin::InstanceOf(path) | Origin::Awaited(path) | Origin::Entered(path, _) => top_of(path),
    }
}

/// Whether one word is another with one letter more, less, other, or exchanged with its neighbour.
fn is_misspelling(word: &str, of: &str) -> bool {
    let (word, of): (Vec<char>, Vec<char>) = (word.chars().collect(), of.chars().collect());
    let same = word.iter().zip(&of).take_while(|(a, b)| a == b).count();
    let (rest, other) = (&word[same..], &of[same..]);
    let skip = |one: &[char], by: usize| one.get(by..).unwrap_or_default().to_vec();
    // Other packages differ by their first letter more often than misspellings do.
    word.len().min(of.len()) >= 5
        && same > 0
        && (skip(rest, 1) == other
            || skip(other, 1) == rest
            || rest.len() == other.len()
                && (skip(rest, 1) == skip(other, 1)
                    || skip(rest, 2) == skip(other, 2) && rest.first() == other.get(1) && rest.get(1) == other.first()))
}

fn did_you_mean(near: &[&str]) -> String {
    near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}
