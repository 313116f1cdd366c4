//! uv.lock, poetry.lock, pdm.lock, requirements files, pyproject.toml.

use toml::{Table, Value};

use super::pins::Pin;
use super::requirement;
use crate::symbol::Ecosystem;

/// uv.lock: packages from a registry; the project itself and its workspace members are no libraries of it.
pub(super) fn uv(text: &str) -> Option<Vec<Pin>> {
    packages(text, |package| {
        let source = package.get("source").and_then(Value::as_table);
        let local = source.is_some_and(|source| {
            ["editable", "virtual", "directory", "path"].iter().any(|kind| source.contains_key(*kind))
        });
        !local
    })
}

/// poetry.lock and pdm.lock name packages alike.
pub(super) fn poetry(text: &str) -> Option<Vec<Pin>> {
    packages(text, |_| true)
}

fn packages(text: &str, wanted: fn(&Table) -> bool) -> Option<Vec<Pin>> {
    let document: Table = text.parse().ok()?;
    let Some(packages) = document.get("package").and_then(Value::as_array) else { return Some(Vec::new()) };
    let packages = packages.iter().filter_map(Value::as_table).filter(|package| wanted(package));
    Some(packages.filter_map(pin).collect())
}

fn pin(package: &Table) -> Option<Pin> {
    let text = |key| package.get(key).and_then(Value::as_str);
    let mut pin = Pin::exact(Ecosystem::Python, text("name")?, text("version")?);
    let lists = ["wheels", "files"].into_iter().filter_map(|key| package.get(key).and_then(Value::as_array)).flatten();
    let hashes = lists.chain(package.get("sdist")).filter_map(|file| file.get("hash").and_then(Value::as_str));
    pin.hashes = hashes.map(str::to_owned).collect();
    Some(pin)
}

/// Lines of a requirements file.
#[expect(clippy::unnecessary_wraps, reason = "one of several readers of the same type")]
pub(super) fn requirements(text: &str) -> Option<Vec<Pin>> {
    Some(
        text.lines()
            .map(str::trim)
            .filter(|line| !line.starts_with(['#', '-']))
            .filter_map(requirement::read)
            .collect(),
    )
}

/// Dependencies of a pyproject.toml, of its extras and groups too.
pub(super) fn pyproject(text: &str) -> Option<Vec<Pin>> {
    let document: Table = text.parse().ok()?;
    let project = document.get("project").and_then(Value::as_table);
    let mut pins = Vec::new();
    let mut list = |value: Option<&Value>| {
        let lines = value.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
        pins.extend(lines.filter_map(requirement::read));
    };
    list(project.and_then(|project| project.get("dependencies")));
    let extras = project.and_then(|project| project.get("optional-dependencies"));
    for group in [extras, document.get("dependency-groups")].into_iter().flatten().filter_map(Value::as_table) {
        group.values().for_each(|lines| list(Some(lines)));
    }
    let poetry = document.get("tool").and_then(|tool| tool.get("poetry")).and_then(Value::as_table);
    let groups = poetry.and_then(|poetry| poetry.get("group")).and_then(Value::as_table);
    let groups = groups.into_iter().flat_map(|groups| groups.values());
    let tables = poetry.into_iter().chain(groups.filter_map(Value::as_table));
    for table in tables.filter_map(|table| table.get("dependencies").and_then(Value::as_table)) {
        for (name, wanted) in table.iter().filter(|(name, _)| *name != "python") {
            let wanted = wanted.as_str().or_else(|| wanted.get("version").and_then(Value::as_str)).unwrap_or_default();
            pins.push(Pin::wanted(Ecosystem::Python, name, wanted));
        }
    }
    Some(pins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(pins: Option<Vec<Pin>>) -> Vec<String> {
        let line = |pin: Pin| format!("{} {}", pin.library, pin.version.or(pin.requirement).unwrap_or_default());
        pins.unwrap().into_iter().map(line).collect()
    }

    #[test]
    fn each_format_names_its_packages() {
        let lock = "[[package]]\nname='me'\nversion='0.1'\nsource={ editable='.' }\n[[package]]\nname='Zope.Event'\nversion='5.0'\n\
                    wheels=[{ url='u', hash='sha256:ab' }]\n";
        assert_eq!(said(uv(lock)), ["zope-event 5.0"]);
        assert_eq!(uv(lock).unwrap()[0].hashes, ["sha256:ab"]);
        let lock = "[[package]]\nname='a'\nversion='1'\nfiles=[{file='a.whl', hash='sha256:cd'}]\n";
        assert_eq!(poetry(lock).unwrap()[0].hashes, ["sha256:cd"]);
        let manifest = "[project]\ndependencies=['a>=1']\n[project.optional-dependencies]\nx=['b==2']\n[dependency-groups]\n\
                        dev=['c', {include-group='x'}]\n[tool.poetry.dependencies]\npython='^3.9'\nd='^4'\n\
                        [tool.poetry.group.t.dependencies]\ne={version='5', optional=true}\n";
        assert_eq!(said(pyproject(manifest)), ["a >=1", "b 2", "c ", "d ^4", "e 5"]);
        assert_eq!(uv("[[package"), None);
        assert_eq!(said(uv("version = 1")), Vec::<String>::new());
    }
}
