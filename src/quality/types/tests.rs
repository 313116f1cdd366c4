//! Trees of types, from environments to folders.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::*;
use crate::cache::AnswerCache;
use tapps_base::call::Call;
use tapps_project::packages::environment::PythonEnvironment;
use tapps_sandbox::Boundary;

const SITE: &str = ".venv/lib/python3.12/site-packages";

struct Project {
    folder: tempfile::TempDir,
    cache: tempfile::TempDir,
    trees: TypeTrees,
}

fn trees_of(root: &Path, cache: &Path) -> TypeTrees {
    let boundary = Arc::new(Boundary::open(root).unwrap());
    TypeTrees::new(Arc::clone(&boundary), PythonEnvironment::of_project(boundary), cache)
}

impl Project {
    /// With this lock.
    fn new(lock: &str) -> Self {
        let (folder, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(folder.path().join("requirements.txt"), lock).unwrap();
        let trees = trees_of(folder.path(), cache.path());
        Self { folder, cache, trees }
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn install(&self, site: &str, name: &str, version: &str, files: &[(&str, &str)]) {
        let site = self.root().join(site);
        let info = site.join(format!("{name}-{version}.dist-info"));
        fs::create_dir_all(&info).unwrap();
        let mut record = String::from("../../../bin/tool,,\n");
        for (path, text) in files {
            let file = site.join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, text).unwrap();
            record.push_str(&format!("{path},sha256=x,{}\n", text.len()));
        }
        fs::write(info.join("RECORD"), record).unwrap();
    }

    /// A package with types.
    fn install_typed(&self, site: &str, name: &str, version: &str, text: &str) {
        let init = format!("{name}/__init__.py");
        self.install(site, name, version, &[(&init, text), (&format!("{name}/py.typed"), "")]);
    }

    fn tree(&self) -> Option<TypeTree> {
        self.tree_with(&AnswerCache::disabled())
    }

    fn tree_with(&self, cache: &AnswerCache) -> Option<TypeTree> {
        self.trees.of_tree(&Boundary::open(self.root()).unwrap(), false, cache).unwrap()
    }

    fn digest(&self) -> String {
        self.tree().unwrap().digest().to_owned()
    }
}

fn call() -> Call {
    Call::quiet(Duration::from_secs(60))
}

#[test]
fn without_a_lock_or_an_environment_there_is_no_tree() {
    let project = Project::new("a==1\n");
    assert!(project.tree().is_none());
    project.install_typed(SITE, "b", "1", "x = 1\n");
    assert!(project.tree().is_none(), "nothing that is locked is installed");
    project.install(SITE, "a", "1", &[("a.py", "x = 1\n")]);
    assert!(project.tree().is_none(), "nothing has types");
    project.install_typed(SITE, "a", "1", "x = 1\n");
    assert_eq!(project.tree().unwrap().stamp().as_installed, 1);
}

#[test]
fn the_digest_is_of_paths_and_bytes_and_not_of_the_place() {
    let (one, two) = (Project::new("a==1\nb==1\n"), Project::new("b==1\na==1\n"));
    one.install_typed(SITE, "a", "1", "x = 1\n");
    one.install_typed(SITE, "b", "1", "x = 2\n");
    two.install_typed("venv/Lib/site-packages", "b", "1", "x = 2\n");
    two.install_typed("venv/Lib/site-packages", "a", "1.0", "x = 1\n");
    // What the lock does not name is not in it.
    two.install_typed("venv/Lib/site-packages", "c", "1", "x = 3\n");
    assert_eq!(one.digest(), two.digest());
    two.install_typed("venv/Lib/site-packages", "a", "1.0", "x = 4\n");
    assert_ne!(one.digest(), two.digest());
}

#[test]
fn an_edited_file_is_another_tree_also_where_digests_are_kept() {
    let store = tempfile::tempdir().unwrap();
    let cache = AnswerCache::with_store(Arc::new(tapps_store::EntryStore::new(store.path(), 1 << 20)));
    let project = Project::new("a==1\n");
    project.install_typed(SITE, "a", "1", "x = 1\n");
    let first = project.tree_with(&cache).unwrap();
    std::thread::sleep(Duration::from_millis(2_100));
    assert_eq!(project.tree_with(&cache).unwrap().digest(), first.digest());
    assert_eq!(project.tree_with(&cache).unwrap().digest(), first.digest(), "from what is kept");
    let file = project.root().join(SITE).join("a/__init__.py");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    fs::write(&file, "x = 2\n").unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    assert_ne!(project.tree_with(&cache).unwrap().digest(), first.digest());
    let moved = |project: &Project| project.trees.environment_digest(false, &cache);
    let before = moved(&project);
    fs::write(&file, "x = 3\n").unwrap();
    assert_ne!(moved(&project), before);
    assert_eq!(project.trees.environment_digest(true, &cache), "");
}

#[cfg(unix)]
#[test]
fn no_link_out_of_the_project_is_followed() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret.py"), "x = 1\n").unwrap();
    let project = Project::new("a==1\nb==1\nc==1\n");
    for name in ["a", "b", "c"] {
        project.install_typed(SITE, name, "1", "x = 1\n");
    }
    let package = |name: &str| project.root().join(SITE).join(name);
    fs::remove_file(package("a/__init__.py")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret.py"), package("a/__init__.py")).unwrap();
    fs::remove_dir_all(package("b")).unwrap();
    std::os::unix::fs::symlink(outside.path(), package("b")).unwrap();
    fs::write(outside.path().join("__init__.py"), "x = 1\n").unwrap();
    fs::write(outside.path().join("py.typed"), "").unwrap();
    let tree = project.tree().unwrap();
    assert_eq!(
        tree.stamp().left_out,
        ["a: a file of it leads out of the project", "b: a file of it leads out of the project"]
    );
    assert_eq!((tree.stamp().as_installed, tree.stamp().without), (1, 2));
    let paths: Vec<&str> = tree.files().map(|(path, _)| path).collect();
    assert_eq!(paths, ["c/__init__.py", "c/py.typed"]);
}

#[test]
fn a_file_that_is_too_large_leaves_its_package_out() {
    let project = Project::new("a==1\n");
    project.install_typed(SITE, "a", "1", &"#".repeat(usize::try_from(package::MOST_FILE_BYTES).unwrap() + 1));
    assert_eq!(project.tree().unwrap().stamp().left_out, ["a: a file of it has more than 8388608 bytes"]);
}

#[tokio::test]
async fn a_tree_is_laid_once_and_again_where_it_was_damaged() {
    let project = Project::new("a==1\n");
    project.install_typed(SITE, "a", "1", "x = 1\n");
    let tree = Arc::new(project.tree().unwrap());
    let instead = project.root().join("instead");
    let held = project.trees.hold_tree(&tree, &instead, &call()).await.unwrap();
    let file = Path::new(&held.path()).join("a/__init__.py");
    let read = || fs::read_to_string(&file).unwrap();
    assert!(read() == "x = 1\n" && !instead.exists() && file.starts_with(project.cache.path()));
    let beside = project.trees.hold_tree(&tree, &instead, &call()).await.unwrap();
    assert_eq!(beside.path(), held.path());
    drop((held, beside));
    let damages: [&dyn Fn(); 3] =
        [&|| fs::write(&file, "x = 2\n").unwrap(), &|| fs::remove_file(&file).unwrap(), &|| {
            fs::write(file.with_file_name("more.py"), "").unwrap()
        }];
    for damage in damages {
        damage();
        // Another process looks at the bytes.
        let other = trees_of(project.root(), project.cache.path());
        let held = other.hold_tree(&tree, &instead, &call()).await.unwrap();
        assert_eq!(read(), "x = 1\n");
        assert!(!file.with_file_name("more.py").exists());
        drop(held);
    }
    // What changed since the tree was made is not taken for it.
    project.install_typed(SITE, "a", "1", "x = 3\n");
    fs::remove_dir_all(project.cache.path().join("types")).unwrap();
    let other = trees_of(project.root(), project.cache.path());
    let error = other.hold_tree(&tree, &instead, &call()).await.unwrap_err();
    assert!(error.message().contains("changed while their types were read"), "{error}");
}

#[tokio::test]
async fn where_nothing_can_be_kept_the_tree_lives_with_the_request() {
    let project = Project::new("a==1\n");
    project.install_typed(SITE, "a", "1", "x = 1\n");
    let tree = Arc::new(project.tree().unwrap());
    let blocked = project.root().join("no-folder");
    fs::write(&blocked, "").unwrap();
    let trees = trees_of(project.root(), &blocked);
    let instead = project.root().join("instead");
    let held = trees.hold_tree(&tree, &instead, &call()).await.unwrap();
    assert_eq!(held.path(), instead.to_string_lossy());
    assert_eq!(fs::read_to_string(instead.join("a/__init__.py")).unwrap(), "x = 1\n");
}

#[tokio::test]
async fn of_too_many_trees_those_go_that_nobody_uses() {
    let project = Project::new("a==1\n");
    let mut first = None;
    for number in 0..20 {
        project.install_typed(SITE, "a", "1", &format!("x = {number}\n"));
        let tree = Arc::new(project.tree().unwrap());
        let held = project.trees.hold_tree(&tree, &project.root().join("instead"), &call()).await.unwrap();
        let lock = Path::new(&held.path()).with_file_name("lock");
        let old = SystemTime::now() - Duration::from_secs(1_000 - number);
        fs::File::options().write(true).open(lock).unwrap().set_modified(old).unwrap();
        first = first.or(Some(held));
    }
    let folders = fs::read_dir(project.cache.path().join("types")).unwrap();
    let left = folders.filter(|entry| entry.as_ref().unwrap().path().is_dir()).count();
    assert!((16..=17).contains(&left), "{left}");
    assert!(Path::new(&first.unwrap().path()).join("a/py.typed").exists(), "one in use stays");
}
