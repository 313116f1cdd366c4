//! A server that stays says of an edited script what a run of the compiler says.

use std::path::Path;

use serde_json::{Value, json};
use tapps_quality::result::AnalysisMode;
use tapps_toolchain::{Provider, Warmth};

use super::support::{Project, runtime};
use crate::{corpus, toolchain_support};

const STRICT: &str = r#"{
  "compilerOptions": {
    "strict": true, "noUnusedLocals": true, "noUnusedParameters": true, "noUncheckedIndexedAccess": true,
    "exactOptionalPropertyTypes": true, "noImplicitReturns": true, "noImplicitOverride": true,
    "noFallthroughCasesInSwitch": true, "noPropertyAccessFromIndexSignature": true, "allowUnreachableCode": false,
    "allowUnusedLabels": false, "target": "es2022", "module": "esnext", "moduleResolution": "bundler",
    "lib": ["es2022", "dom"], "types": []
  },
  "include": ["src"]
}
"#;

/// One project, scored with everything kept from one request to the next and with nothing kept.
struct Twins {
    warm: Project,
    cold: Project,
}

impl Twins {
    /// Of a folder, which gets a configuration.
    fn at(root: &Path) -> Self {
        let mut settings = toolchain_support::settings();
        settings.warmth = Warmth::FromTheStart;
        let provider = {
            let _in = runtime();
            Provider::new(settings)
        };
        let twins = Self { warm: Project::at(root).with_provider(provider), cold: Project::at(root) };
        twins.write("tsconfig.json", STRICT);
        twins
    }

    fn write(&self, file: &str, text: &str) {
        self.cold.write(file, text.as_bytes());
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.cold.path(file)).unwrap()
    }

    /// What both say of the files, which must be the same, and whether a server had a say.
    fn say(&self, files: &[&str]) -> (Value, bool) {
        let before = self.warm.engine().answers_of_compiler_server();
        let said = |project: &Project| {
            let scored = project.scores(files, AnalysisMode::Full).unwrap().files;
            json!(scored.iter().map(|one| (&one.file, &one.types, &one.findings, one.overall)).collect::<Vec<_>>())
        };
        let (warm, cold) = (said(&self.warm), said(&self.cold));
        assert_eq!(warm, cold, "{files:?}");
        (cold, self.warm.engine().answers_of_compiler_server() > before)
    }
}

/// The rules of the compiler that are said of the only file.
fn rules(said: &Value) -> Vec<&str> {
    let rules = said[0][2].as_array().unwrap().iter().map(|finding| finding["rule"].as_str().unwrap());
    rules.filter(|rule| rule.starts_with("tsc:")).collect()
}

#[test]
fn what_a_server_cannot_know_is_asked_by_a_run() {
    let folder = toolchain_support::folder();
    let twins = Twins::at(folder.path());
    twins.write("src/a.ts", "export const a: number = 1;\n");
    twins.write("src/b.ts", "import { a } from './a';\nexport const b: number = a;\n");
    twins.write("src/plain.ts", "const alone = 1;\n");
    assert!(!twins.say(&["src/b.ts"]).1, "nothing is known yet");
    let by_server = |file: &str, text: &str, expected: &[&str]| {
        twins.write(file, text);
        let (said, served) = twins.say(&[file]);
        assert_eq!(rules(&said), expected, "{text}");
        served
    };
    assert!(by_server("src/b.ts", "import { a } from './a';\nexport const b: string = a;\n", &["tsc:TS2322"]));
    assert!(by_server("src/b.ts", "import { a } from './a';\nexport const b: number = a;\n", &[]));
    // What another file has become counts as well, whoever has changed it.
    twins.write("src/a.ts", "export const a: string = '1';\n");
    let (said, served) = twins.say(&["src/b.ts"]);
    assert!(served && rules(&said) == ["tsc:TS2322"], "{said}");
    assert!(by_server("src/a.ts", "export const a: number = process.pid;\n", &[]));
    // What is missing in what a file imports is unknown in the file.
    let (said, served) = twins.say(&["src/b.ts"]);
    assert!(served && said[0][1]["missing"] == json!(["process"]), "{said}");
    assert!(by_server("src/a.ts", "export const a: number = 1;\n", &[]));
    // A file that brings in others, or takes them out.
    assert!(!by_server("src/b.ts", "import { c } from './c';\nexport const b: number = c;\n", &[]));
    twins.write("src/c.ts", "export const c: string = '';\n");
    let (said, served) = twins.say(&["src/b.ts"]);
    assert!(!served && rules(&said) == ["tsc:TS2322"], "{said}");
    assert!(by_server("src/b.ts", "import { c } from './c';\nexport const b: string = c;\n", &[]));
    // What all files see, types in a circle, and a configuration.
    assert!(!by_server("src/b.ts", "export const b = 1;\ndeclare global { const everywhere: number; }\n", &[]));
    assert!(!by_server("src/plain.ts", "const alone: string = everywhere;\n", &["tsc:TS2322"]));
    assert!(!by_server("src/b.ts", "import './c';\nexport const b = 1;\n", &[]));
    assert!(!by_server(
        "src/b.ts",
        "import './c';\nexport const b = d;\nconst d = b;\n",
        &["tsc:TS7022", "tsc:TS2448", "tsc:TS7022"]
    ));
    assert!(!by_server("src/b.ts", "import './c';\nexport const b = 1;\nb.c;\n", &["tsc:TS2339"]));
    assert!(by_server("src/b.ts", "import './c';\nexport function b(c) { return c; }\n", &["tsc:TS7006"]));
    twins.write("tsconfig.json", &STRICT.replace("\"strict\": true", "\"strict\": false"));
    let (said, served) = twins.say(&["src/b.ts"]);
    assert!(!served && rules(&said).is_empty(), "{said}");
    // One that does not parse keeps nobody from being judged.
    twins.write("src/c.ts", "export const c = ;\n");
    assert!(!twins.say(&["src/b.ts"]).1);
    std::fs::remove_file(folder.path().join("src/c.ts")).unwrap();
    assert!(!twins.say(&["src/b.ts"]).1);
}

#[test]
fn a_server_finds_files_whatever_their_names_are() {
    let folder = toolchain_support::folder();
    let twins = Twins::at(folder.path());
    let names = ["[id]", "(group) a", "é😀", "a+b&c", "100%", "a#b?c", "a@b=c,d;e", "%20"];
    let files: Vec<String> = names.iter().map(|name| format!("src/{name}.tsx")).collect();
    for file in &files {
        twins.write(file, "export const a: number = 1;\n");
    }
    twins.say(&[&files[0]]);
    for file in &files {
        twins.write(file, "export const a: number = '1';\nexport const b = <T,>(c: T) => c;\n");
        let (said, served) = twins.say(&[file]);
        assert!(served && rules(&said) == ["tsc:TS2322"], "{file}: {said}");
    }
}

#[test]
fn a_server_that_is_gone_is_missed_by_nobody() {
    let folder = toolchain_support::folder();
    let twins = Twins::at(folder.path());
    twins.write("src/a.ts", "export const a: number = 1;\n");
    twins.write("src/only_here.ts", "export {};\n");
    twins.say(&["src/a.ts"]);
    twins.write("src/a.ts", "export const a: number = '1';\n");
    assert!(twins.say(&["src/a.ts"]).1);
    let servers: Vec<String> = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.parse::<u32>().is_ok())
        .filter(|pid| {
            let read = |what: &str| std::fs::read(format!("/proc/{pid}/{what}")).unwrap_or_default();
            let line = String::from_utf8_lossy(&read("cmdline")).into_owned();
            let stat = String::from_utf8_lossy(&read("stat")).into_owned();
            let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1).map(str::to_owned));
            let is_ours = Path::new(&format!("/proc/{pid}/cwd/src/only_here.ts")).exists();
            line.contains("--lsp") && is_ours && parent == Some(std::process::id().to_string())
        })
        .collect();
    assert!(!servers.is_empty());
    for pid in servers {
        let pid = rustix::process::Pid::from_raw(pid.parse().unwrap()).unwrap();
        rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
    }
    twins.write("src/a.ts", "export const a: number = true;\n");
    let (said, _) = twins.say(&["src/a.ts"]);
    assert_eq!(rules(&said), ["tsc:TS2322"]);
}

#[test]
fn edits_of_published_packages_are_judged_alike() {
    let (mut served, mut asked) = (0, 0);
    // How many files of each package are edited: more by hand than in every run.
    let files: usize = std::env::var("TAPPS_TEST_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(5);
    for package in ["rxjs", "npm-zod"] {
        let folder = toolchain_support::folder();
        toolchain_support::copy_tree(&corpus::dir(package).join("src"), &folder.path().join("src"));
        for own in corpus::files(folder.path(), "json").iter().filter(|path| path.contains("tsconfig")) {
            std::fs::remove_file(folder.path().join(own)).unwrap();
        }
        let twins = Twins::at(folder.path());
        let all = corpus::files(folder.path(), "ts");
        let picked: Vec<&String> = all.iter().step_by(all.len().div_ceil(files)).collect();
        let mut previous = picked[0].as_str();
        twins.say(&[previous]);
        for file in picked {
            let text = twins.read(file);
            let edits = [
                format!(
                    "{text}\nfunction edited(one: number): string {{ return one; }}\nasync function late() {{ late(); }}\n"
                ),
                text.replacen("string", "number", 1),
                text.replacen(": boolean", ": Promise<boolean>", 1).replacen("export const", "export let", 1),
            ];
            for edit in edits.into_iter().filter(|edit| *edit != text) {
                twins.write(file, &edit);
                for judged in [file, previous] {
                    asked += 1;
                    let by_server = twins.say(&[judged]).1;
                    served += u32::from(by_server);
                    if !by_server {
                        eprintln!("{package}: {judged} was asked about by a run after an edit of {file}");
                    }
                }
            }
            previous = file;
        }
    }
    eprintln!("{served} of {asked} answers with a server");
    assert!(asked >= 20 && f64::from(served) >= 0.6 * f64::from(asked), "{served} of {asked}");
}
