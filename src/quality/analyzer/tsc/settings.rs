//! What a tsconfig.json of the project asks for, with everything that it extends inside the project. Only keys that decide
//! which files a program has and what their types mean are taken, and only values that the locked compiler knows.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::mirror::folder_of;
use super::options::{drop_contradictions, settled_words};
use tapps_coderef::script::{join_within_project, parse_json_with_comments};

/// Configurations that extend one another further than this go round in a circle.
const MOST_EXTENDS: usize = 16;
/// Options that are true or false, and are taken as they are.
const SWITCHES: [&str; 36] = [
    "allowArbitraryExtensions",
    "allowImportingTsExtensions",
    "allowJs",
    "allowUmdGlobalAccess",
    "allowUnreachableCode",
    "allowUnusedLabels",
    "checkJs",
    "emitDecoratorMetadata",
    "erasableSyntaxOnly",
    "exactOptionalPropertyTypes",
    "experimentalDecorators",
    "isolatedModules",
    "noFallthroughCasesInSwitch",
    "noImplicitAny",
    "noImplicitOverride",
    "noImplicitReturns",
    "noImplicitThis",
    "noPropertyAccessFromIndexSignature",
    "noUncheckedIndexedAccess",
    "noUnusedLocals",
    "noUnusedParameters",
    "preserveSymlinks",
    "resolveJsonModule",
    "resolvePackageJsonExports",
    "resolvePackageJsonImports",
    "rewriteRelativeImportExtensions",
    "skipLibCheck",
    "strict",
    "strictBindCallApply",
    "strictBuiltinIteratorReturn",
    "strictFunctionTypes",
    "strictNullChecks",
    "strictPropertyInitialization",
    "useDefineForClassFields",
    "useUnknownInCatchVariables",
    "verbatimModuleSyntax",
];
/// Options that are a word or a list of words.
const WORDS: [&str; 12] = [
    "customConditions",
    "jsx",
    "jsxFactory",
    "jsxFragmentFactory",
    "jsxImportSource",
    "lib",
    "module",
    "moduleDetection",
    "moduleResolution",
    "moduleSuffixes",
    "target",
    "types",
];
/// The first version of TypeScript that is strict unless told otherwise.
const STRICT_SINCE: u32 = 6;

/// What was taken of one configuration, for a copy of the project.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    /// The folder of the configuration.
    pub(super) folder: String,
    pub(super) options: Map<String, Value>,
    /// Paths and patterns in the copy.
    pub(super) files: Option<Vec<String>>,
    pub(super) include: Option<Vec<String>>,
    pub(super) exclude: Option<Vec<String>>,
    /// Paths of other configurations.
    pub(super) references: Vec<String>,
    /// The project does not want its own declarations checked.
    pub(super) skips_declarations: bool,
    /// What the configuration builds on and is not there.
    pub(super) missing: BTreeSet<String>,
}

impl Settings {
    pub(super) fn checks_javascript(&self) -> bool {
        self.options.get("checkJs") == Some(&Value::Bool(true))
    }
}

/// True for the path of a configuration of the compiler.
pub(super) fn is_configuration(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    (name.starts_with("tsconfig") || name.starts_with("jsconfig")) && name.ends_with(".json")
}

/// One file and what it extends, before anything is decided.
#[derive(Debug, Default)]
struct RawSettings {
    options: Map<String, Value>,
    base_url: Option<String>,
    /// The folder that the targets are relative to, and the patterns.
    paths: Option<(String, Map<String, Value>)>,
    root_dirs: Option<Vec<String>>,
    type_roots: Option<Vec<String>>,
    files: Option<Vec<String>>,
    include: Option<Vec<String>>,
    exclude: Option<Vec<String>>,
    references: Vec<String>,
    missing: BTreeSet<String>,
}

/// Reads a configuration out of the copy of the project at `root`.
pub(super) fn read_settings(root: &Path, path: &str) -> Settings {
    let reader = SettingsReader { root, leaf: folder_of(path).unwrap_or_default() };
    let raw = reader.load(path, MOST_EXTENDS).unwrap_or_else(|missing| RawSettings {
        missing: BTreeSet::from([missing]),
        ..RawSettings::default()
    });
    reader.settle(raw, path)
}

struct SettingsReader<'a> {
    root: &'a Path,
    /// The folder of the configuration that was asked for.
    leaf: &'a str,
}

impl SettingsReader<'_> {
    fn read_json(&self, path: &str) -> Option<Value> {
        parse_json_with_comments(&std::fs::read_to_string(self.root.join(path)).ok()?)
    }

    /// Reads one file over what it extends; what is not there is named.
    fn load(&self, path: &str, left: usize) -> Result<RawSettings, String> {
        let json = self.read_json(path).filter(Value::is_object).ok_or_else(|| path.to_owned())?;
        let folder = folder_of(path).unwrap_or_default();
        let mut settings = RawSettings::default();
        for base in words_of(json.get("extends")) {
            let found = self.extended(folder, &base).filter(|_| left > 0);
            match found.map(|found| self.load(&found, left - 1)) {
                Some(Ok(base)) => settings.overlay(base),
                Some(Err(missing)) => _ = settings.missing.insert(missing),
                None => _ = settings.missing.insert(base),
            }
        }
        settings.overlay(self.own_settings(&json, folder));
        Ok(settings)
    }

    /// The file that `extends` names: beside the configuration, or of a package.
    fn extended(&self, folder: &str, name: &str) -> Option<String> {
        let is_file = |path: &String| self.root.join(path).is_file();
        let candidates = |path: String| [path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")];
        if name.starts_with('.') {
            return candidates(join_within_project(folder, name)?).into_iter().find(is_file);
        }
        if name.starts_with('/') {
            return None;
        }
        let of_package = |above: &str| join_within_project(above, &format!("node_modules/{name}"));
        folders_above(folder).filter_map(of_package).flat_map(candidates).find(is_file)
    }

    fn own_settings(&self, json: &Value, folder: &str) -> RawSettings {
        let options = json.get("compilerOptions").and_then(Value::as_object).cloned().unwrap_or_default();
        let place = |text: &str| self.place(folder, text);
        let places = |value: Option<&Value>| {
            value.map(|value| words_of(Some(value)).iter().filter_map(|text| place(text)).collect::<Vec<_>>())
        };
        let base_url = options.get("baseUrl").and_then(Value::as_str).and_then(place);
        let paths = options.get("paths").and_then(Value::as_object).cloned().map(|paths| (folder.to_owned(), paths));
        let (root_dirs, type_roots) = (places(options.get("rootDirs")), places(options.get("typeRoots")));
        let exclude = places(json.get("exclude")).or_else(|| {
            // What is built is not part of the program, unless it says what is not.
            let built = ["outDir", "declarationDir"].map(|key| options.get(key).and_then(Value::as_str).and_then(place));
            let built: Vec<String> = built.into_iter().flatten().filter(|folder| !folder.is_empty()).collect();
            (!built.is_empty()).then(|| [built, default_exclusion(folder)].concat())
        });
        let references = json.get("references").and_then(Value::as_array).into_iter().flatten();
        let reference = |one: &Value| {
            let path = place(one.get("path")?.as_str()?)?;
            if path.ends_with(".json") { Some(path) } else { join_within_project(&path, "tsconfig.json") }
        };
        RawSettings {
            base_url,
            paths,
            root_dirs,
            type_roots,
            files: places(json.get("files")),
            include: places(json.get("include")),
            exclude,
            references: references.filter_map(reference).collect(),
            missing: BTreeSet::new(),
            options,
        }
    }

    /// A path or pattern of a configuration in `folder`, relative to the project; none when it leads out.
    fn place(&self, folder: &str, text: &str) -> Option<String> {
        match text.strip_prefix("${configDir}") {
            Some(rest) => join_within_project(self.leaf, rest.trim_start_matches('/')),
            None if text.starts_with('/') => None,
            None => join_within_project(folder, text),
        }
    }

    fn in_copy(&self, place: &str) -> String {
        self.root.join(place).to_string_lossy().into_owned()
    }

    fn all_in_copy(&self, places: &[String]) -> Vec<String> {
        places.iter().map(|place| self.in_copy(place)).collect()
    }

    /// Decides what becomes of all that was read.
    fn settle(&self, raw: RawSettings, path: &str) -> Settings {
        let mut options = Map::new();
        for key in SWITCHES {
            options.extend(raw.options.get(key).filter(|value| value.is_boolean()).map(|v| (key.to_owned(), v.clone())));
        }
        let skips_declarations = options.remove("skipLibCheck") == Some(Value::Bool(true));
        for key in WORDS {
            options.extend(settled_words(key, raw.options.get(key)).map(|value| (key.to_owned(), value)));
        }
        let declared = self.declared_in_packages();
        if !options.contains_key("strict") && declared.typescript.is_none_or(|major| major < STRICT_SINCE) {
            options.insert("strict".to_owned(), Value::Bool(false));
        }
        if path.rsplit('/').next().is_some_and(|name| name.starts_with("jsconfig")) {
            options.entry("allowJs").or_insert(Value::Bool(true));
        }
        drop_contradictions(&mut options);
        self.settle_paths(&raw, &mut options);
        let mut missing = raw.missing.clone();
        self.settle_types(&raw, &declared, &mut options, &mut missing);
        let in_copy = |places: &Option<Vec<String>>| places.as_ref().map(|places| self.all_in_copy(places));
        Settings {
            folder: self.leaf.to_owned(),
            options,
            files: in_copy(&raw.files),
            include: in_copy(&raw.include),
            exclude: in_copy(&raw.exclude),
            references: raw.references,
            skips_declarations,
            missing,
        }
    }

    /// Mappings of names to paths, with what `baseUrl` meant in older versions.
    fn settle_paths(&self, raw: &RawSettings, options: &mut Map<String, Value>) {
        let mut mapped = Map::new();
        if let Some((folder, paths)) = &raw.paths {
            let from = raw.base_url.as_ref().unwrap_or(folder);
            for (pattern, targets) in paths {
                let targets: Vec<String> = words_of(Some(targets)).iter().filter_map(|to| self.place(from, to)).collect();
                if !targets.is_empty() {
                    mapped.insert(pattern.clone(), json!(self.all_in_copy(&targets)));
                }
            }
        }
        if let Some(base) = &raw.base_url {
            mapped.entry("*").or_insert_with(|| json!([format!("{}/*", self.in_copy(base))]));
        }
        if !mapped.is_empty() {
            options.insert("paths".to_owned(), Value::Object(mapped));
        }
        if let Some(folders) = &raw.root_dirs {
            options.insert("rootDirs".to_owned(), json!(self.all_in_copy(folders)));
        }
    }

    /// Declarations that hold in all files: those asked for, or all that are installed.
    fn settle_types(
        &self,
        raw: &RawSettings,
        declared: &DeclaredPackages,
        options: &mut Map<String, Value>,
        missing: &mut BTreeSet<String>,
    ) {
        let installed = |name: &str| self.root.join(name).is_dir();
        let of_packages = || {
            let places = folders_above(self.leaf).filter_map(|above| join_within_project(above, "node_modules/@types"));
            places.filter(|place| installed(place)).collect::<Vec<_>>()
        };
        let roots = raw.type_roots.clone().unwrap_or_else(of_packages);
        let wanted = match options.remove("types") {
            Some(types) => words_of(Some(&types)),
            None => vec!["*".to_owned()],
        };
        let all = wanted.iter().any(|name| name == "*");
        let is_there = |name: &str| {
            let package = package_of(name);
            let beside = folders_above(self.leaf).filter_map(|above| join_within_project(above, "node_modules"));
            name.starts_with('.')
                || roots.iter().any(|root| installed(&format!("{root}/{}", package.trim_start_matches('@').replace('/', "__"))))
                || beside.into_iter().any(|modules| installed(&format!("{modules}/{package}")))
        };
        let (found, lost): (Vec<String>, Vec<String>) =
            wanted.into_iter().partition(|name| name == "*" || is_there(name));
        missing.extend(lost);
        if all && raw.type_roots.is_none() {
            missing.extend(declared.types.iter().filter(|name| !is_there(name)).map(|name| format!("@types/{name}")));
        }
        options.insert("types".to_owned(), json!(found));
        options.insert("typeRoots".to_owned(), json!(self.all_in_copy(&roots)));
    }

    /// What the package.json files from the configuration up to the root ask for.
    fn declared_in_packages(&self) -> DeclaredPackages {
        let mut declared = DeclaredPackages::default();
        for above in folders_above(self.leaf) {
            let Some(json) = join_within_project(above, "package.json").and_then(|path| self.read_json(&path)) else {
                continue;
            };
            for kind in ["dependencies", "devDependencies"] {
                for (name, version) in json.get(kind).and_then(Value::as_object).into_iter().flatten() {
                    if name == "typescript" && declared.typescript.is_none() {
                        declared.typescript = version.as_str().and_then(first_number);
                    }
                    declared.types.extend(name.strip_prefix("@types/").map(str::to_owned));
                }
            }
        }
        declared
    }
}

/// What a project asks its package manager for.
#[derive(Debug, Default)]
struct DeclaredPackages {
    /// The first number of the version of TypeScript.
    typescript: Option<u32>,
    /// Packages of declarations, without `@types/`.
    types: BTreeSet<String>,
}

impl RawSettings {
    /// What is set later replaces what is set earlier; references are nobody else's.
    fn overlay(&mut self, other: Self) {
        self.options.extend(other.options);
        self.base_url = other.base_url.or_else(|| self.base_url.take());
        self.paths = other.paths.or_else(|| self.paths.take());
        self.root_dirs = other.root_dirs.or_else(|| self.root_dirs.take());
        self.type_roots = other.type_roots.or_else(|| self.type_roots.take());
        self.files = other.files.or_else(|| self.files.take());
        self.include = other.include.or_else(|| self.include.take());
        self.exclude = other.exclude.or_else(|| self.exclude.take());
        self.references = other.references;
        self.missing.extend(other.missing);
    }
}

/// What is in no program unless it is asked for.
pub(super) fn default_exclusion(folder: &str) -> Vec<String> {
    let below = |name| join_within_project(folder, name);
    ["**/node_modules", "**/bower_components", "**/jspm_packages"].into_iter().filter_map(below).collect()
}

/// A folder and those above it, up to the root.
fn folders_above(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| (!folder.is_empty()).then(|| folder_of(folder).unwrap_or_default()))
}

pub(super) fn words_of(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(many)) => many.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The package that a specifier begins with.
fn package_of(specifier: &str) -> &str {
    let slashes = if specifier.starts_with('@') { 2 } else { 1 };
    let end = specifier.match_indices('/').nth(slashes - 1).map_or(specifier.len(), |(at, _)| at);
    specifier.get(..end).unwrap_or(specifier)
}

fn first_number(text: &str) -> Option<u32> {
    let digits = text.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Project(tempfile::TempDir);

    impl Project {
        fn new(files: &[(&str, &str)]) -> Self {
            let project = Self(tempfile::tempdir().unwrap());
            for (file, text) in files {
                let path = project.0.path().join(file);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, text).unwrap();
            }
            project
        }

        fn read(&self, path: &str) -> Settings {
            read_settings(self.0.path(), path)
        }

        fn place(&self, path: &str) -> String {
            self.0.path().join(path).to_string_lossy().into_owned()
        }
    }

    #[test]
    fn only_known_keys_are_taken_and_what_is_extended_inside_the_project() {
        let project = Project::new(&[
            ("tsconfig.base.json", r#"{ "compilerOptions": { "strict": true, "target": "ES5", "outDir": "dist", "plugins": [{"name": "x"}], "incremental": true, "tsBuildInfoFile": "../x" } } // end"#),
            ("a/tsconfig.json", r#"{ "extends": "../tsconfig.base", "compilerOptions": { "moduleResolution": "node", "baseUrl": "src", "paths": { "@/*": ["lib/*", "../../../out/*"] } }, "include": ["src", "../../out"] }"#),
        ]);
        let settings = project.read("a/tsconfig.json");
        let options = Value::Object(settings.options);
        let mapped = [project.place("a/src/lib/*")];
        assert_eq!(
            options,
            json!({ "strict": true, "target": "es2015", "moduleResolution": "bundler", "types": ["*"], "typeRoots": [],
                    "paths": { "@/*": mapped, "*": [format!("{}/*", project.place("a/src"))] } })
        );
        assert_eq!(settings.include, Some(vec![project.place("a/src")]));
        let excluded = [project.place("dist"), project.place("**/node_modules")];
        assert_eq!(settings.exclude.unwrap()[..2], excluded);
        assert!(settings.missing.is_empty());
    }

    #[test]
    fn what_is_not_there_is_named() {
        let project = Project::new(&[
            ("package.json", r#"{ "devDependencies": { "@types/node": "^22", "@types/there": "1", "typescript": "^5.9" } }"#),
            ("node_modules/@types/there/index.d.ts", ""),
            ("node_modules/@tsconfig/node20/tsconfig.json", r#"{ "compilerOptions": { "strict": true } }"#),
            ("tsconfig.json", r#"{ "extends": ["@tsconfig/node20/tsconfig.json", "@tsconfig/gone", "../outside.json"] }"#),
            ("b/tsconfig.json", r#"{ "compilerOptions": { "types": ["vite/client", "there"] } }"#),
            ("c/tsconfig.json", "{ nothing"),
        ]);
        let settings = project.read("tsconfig.json");
        let missing: Vec<&str> = settings.missing.iter().map(String::as_str).collect();
        assert_eq!(missing, ["../outside.json", "@tsconfig/gone", "@types/node"]);
        assert_eq!(settings.options["strict"], true);
        let settings = project.read("b/tsconfig.json");
        assert_eq!(settings.missing.into_iter().collect::<Vec<_>>(), ["vite/client"]);
        assert_eq!((&settings.options["types"], &settings.options["strict"]), (&json!(["there"]), &json!(false)));
        assert_eq!(project.read("c/tsconfig.json").missing.into_iter().collect::<Vec<_>>(), ["@types/node", "c/tsconfig.json"]);
    }

    #[test]
    fn a_circle_comes_to_an_end() {
        let project = Project::new(&[
            ("tsconfig.json", r#"{ "extends": "./tsconfig.other.json", "references": [{ "path": "./app" }, { "path": "tsconfig.node.json" }] }"#),
            ("tsconfig.other.json", r#"{ "extends": "./tsconfig.json", "compilerOptions": { "noUnusedLocals": true } }"#),
        ]);
        let settings = project.read("tsconfig.json");
        assert_eq!(settings.options["noUnusedLocals"], true);
        assert_eq!(settings.references, ["app/tsconfig.json", "tsconfig.node.json"]);
        assert_eq!(settings.missing.len(), 1);
    }

    #[test]
    fn versions_and_packages_are_read_off_their_texts() {
        for (text, number) in [("^5.9.3", Some(5)), ("~7", Some(7)), (">=6.0 <8", Some(6)), ("catalog:", None)] {
            assert_eq!(first_number(text), number, "{text}");
        }
        for (specifier, package) in [("vite/client", "vite"), ("@a/b/c", "@a/b"), ("node", "node")] {
            assert_eq!(package_of(specifier), package);
        }
    }
}
