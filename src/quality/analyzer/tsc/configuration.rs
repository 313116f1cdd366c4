//! Which programs a file may be in, and the configuration that the compiler is given for one.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::mirror::{Mirror, folder_of};
use super::settings::{Settings, default_exclusion};

/// Most configurations that are looked at for one file.
const MOST_CANDIDATES: usize = 64;
/// How the program is called that has no configuration of the project.
const WITHOUT_CONFIGURATION: &str = "";

/// One program: that of a configuration of the project, or that of all files which have none.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ProgramConfiguration(String);

/// What was found to be in the way of a program.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// Declarations that are not there after all.
    pub(super) types: BTreeSet<String>,
    /// Files that do not parse: with one of them the compiler says nothing of the others.
    pub(super) files: BTreeSet<String>,
}

/// The programs that a file may be in, likeliest first: those of the configurations in its folder and above, each with those
/// that it refers to.
pub(super) fn configurations_of_file(path: &str, settings: &BTreeMap<String, Settings>) -> Vec<ProgramConfiguration> {
    let mut found: Vec<ProgramConfiguration> = Vec::new();
    let mut folder = folder_of(path);
    loop {
        let place = folder.unwrap_or_default();
        let named = |name: &str| if place.is_empty() { name.to_owned() } else { format!("{place}/{name}") };
        let mut waiting: Vec<String> =
            ["jsconfig.json", "tsconfig.json"].map(named).into_iter().filter(|path| settings.contains_key(path)).collect();
        while let Some(path) = waiting.pop() {
            let one = ProgramConfiguration(path);
            if found.len() == MOST_CANDIDATES || found.contains(&one) {
                continue;
            }
            if let Some(settings) = settings.get(&one.0) {
                waiting.extend(settings.references.iter().rev().cloned());
                found.push(one);
            }
        }
        match folder {
            Some(above) => folder = folder_of(above),
            None => break,
        }
    }
    if found.is_empty() {
        found.push(ProgramConfiguration::of_the_rest());
    }
    found
}

impl ProgramConfiguration {
    /// Of a configuration of the project.
    pub(super) fn at(path: &str) -> Self {
        Self(path.to_owned())
    }

    /// Of the files that have none.
    pub(super) fn of_the_rest() -> Self {
        Self(WITHOUT_CONFIGURATION.to_owned())
    }

    pub(super) fn name(&self) -> &str {
        &self.0
    }

    /// The path of the project's configuration, when there is one.
    pub(super) fn path(&self) -> Option<&str> {
        (self.0 != WITHOUT_CONFIGURATION).then_some(&self.0)
    }

    /// Where the configuration for the compiler stands in the copy, relative to its root: in the folder of the project's own,
    /// from which packages are looked for, under a name that nothing there has.
    pub(super) fn place(&self, mirror: &Mirror) -> String {
        let folder = folder_of(&self.0).map_or_else(String::new, |folder| format!("{folder}/"));
        let mut place = format!("{folder}tapps-mcp.tsconfig.json");
        while mirror.root().join(&place).exists() && mirror.read(&place).is_some_and(|text| !text.starts_with(MARK)) {
            place = format!("{}.json", place.trim_end_matches(".json").to_owned() + "_");
        }
        place
    }

    /// The text of the configuration for the compiler.
    pub(super) fn text(&self, mirror: &Mirror, left_out: &LeftOut) -> String {
        written(self.keys(mirror, left_out))
    }

    /// The same with the configurations that it refers to, for whoever looks for the program of a file.
    pub(super) fn text_with_references(&self, mirror: &Mirror) -> String {
        let mut keys = self.keys(mirror, &LeftOut::default());
        let references = self.path().and_then(|path| mirror.settings(path)).map_or(&[][..], |settings| &settings.references);
        let place = |path: &String| json!({ "path": mirror.root().join(path).to_string_lossy() });
        keys.insert("references".to_owned(), references.iter().map(place).collect());
        written(keys)
    }

    fn keys(&self, mirror: &Mirror, left_out: &LeftOut) -> Map<String, Value> {
        let own = self.path().and_then(|path| mirror.settings(path)).cloned();
        let settings = own.unwrap_or_else(|| settings_of_the_rest(mirror));
        let mut options = settings.options.clone();
        if let Some(types) = options.get_mut("types").and_then(Value::as_array_mut) {
            types.retain(|name| name.as_str().is_none_or(|name| !left_out.types.contains(name)));
        }
        if mirror.has_checked_javascript_below(&settings.folder) {
            options.insert("allowJs".to_owned(), Value::Bool(true));
        }
        options.extend(fixed_options(mirror));
        let in_copy = |path: &String| mirror.root().join(path).to_string_lossy().into_owned();
        let broken: Vec<String> = left_out.files.iter().map(in_copy).collect();
        let mut files = settings.files.clone();
        files.iter_mut().for_each(|files| files.retain(|file| !broken.contains(file)));
        let include = settings.include.clone().or_else(|| {
            let everything = format!("{}**/*", if settings.folder.is_empty() { String::new() } else { format!("{}/", settings.folder) });
            files.is_none().then(|| vec![in_copy(&everything)])
        });
        let excluded = settings.exclude.clone().unwrap_or_else(|| {
            default_exclusion(&settings.folder).iter().map(in_copy).collect()
        });
        let exclude = [excluded, broken].concat();
        let mut keys = Map::new();
        keys.insert("compilerOptions".to_owned(), Value::Object(options));
        keys.insert("exclude".to_owned(), json!(exclude));
        keys.extend(files.map(|files| ("files".to_owned(), json!(files))));
        keys.extend(include.map(|include| ("include".to_owned(), json!(include))));
        keys.insert("typeAcquisition".to_owned(), json!({ "enable": false }));
        keys
    }
}

fn written(keys: Map<String, Value>) -> String {
    format!("{}{}\n", String::from_utf8_lossy(MARK), Value::Object(keys))
}

/// What the configurations begin with that this program writes.
const MARK: &[u8] = b"// of tapps-mcp\n";

/// What holds whatever the project asks for. Declarations of packages are looked through, since what is missing in them is
/// missing for the files that use them.
fn fixed_options(mirror: &Mirror) -> Map<String, Value> {
    let root = mirror.root().to_string_lossy();
    let fixed = [
        ("composite", json!(false)),
        ("incremental", json!(false)),
        ("noEmit", json!(true)),
        ("noErrorTruncation", json!(true)),
        ("noUncheckedSideEffectImports", json!(false)),
        ("rootDir", json!(root)),
        ("skipDefaultLibCheck", json!(true)),
        ("skipLibCheck", json!(false)),
        ("stableTypeOrdering", json!(true)),
    ];
    fixed.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// The settings for files that no configuration is above: as lenient as the compiler can be.
fn settings_of_the_rest(mirror: &Mirror) -> Settings {
    let options = json!({
        "jsx": "preserve",
        "module": "esnext",
        "moduleResolution": "bundler",
        "resolveJsonModule": true,
        "strict": false,
        "target": "esnext",
        "types": ["*"],
    });
    let with_their_own = mirror.all_settings().values().map(|settings| settings.folder.clone());
    let folders: BTreeSet<String> = with_their_own.filter(|folder| !folder.is_empty()).collect();
    let exclude = default_exclusion("").into_iter().chain(folders);
    let in_copy = |path: String| mirror.root().join(path).to_string_lossy().into_owned();
    Settings {
        options: options.as_object().cloned().unwrap_or_default(),
        exclude: Some(exclude.map(in_copy).collect()),
        ..Settings::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_configuration_comes_first_with_what_it_refers_to() {
        let with = |references: &[&str]| Settings {
            references: references.iter().map(|&path| path.to_owned()).collect(),
            ..Settings::default()
        };
        let settings: BTreeMap<String, Settings> = [
            ("tsconfig.json", with(&[])),
            ("a/tsconfig.json", with(&["a/tsconfig.app.json", "a/tsconfig.node.json", "a/gone.json"])),
            ("a/tsconfig.app.json", with(&["a/tsconfig.json"])),
            ("a/tsconfig.node.json", with(&[])),
            ("b/jsconfig.json", with(&[])),
        ]
        .map(|(path, settings)| (path.to_owned(), settings))
        .into();
        let names = |path: &str| -> Vec<String> {
            configurations_of_file(path, &settings).into_iter().map(|one| one.0).collect()
        };
        let of_a = ["a/tsconfig.json", "a/tsconfig.app.json", "a/tsconfig.node.json", "tsconfig.json"];
        assert_eq!(names("a/src/x.ts"), of_a);
        assert_eq!(names("b/x.js"), ["b/jsconfig.json", "tsconfig.json"]);
        assert_eq!(names("x.ts"), ["tsconfig.json"]);
        assert_eq!(configurations_of_file("x.ts", &BTreeMap::new())[0].path(), None);
    }
}
