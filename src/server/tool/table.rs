//! The table of tools: chosen once at start, listed in one stable order, looked up by name or alias.

use std::collections::{BTreeMap, HashMap};

use super::{Tool, Toolset};
use tapps_base::{Error, ErrorCode, Result, nearest};

/// Which tools to offer.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Names of toolsets, or `all`; empty means the default ones.
    pub toolsets: Vec<String>,
    /// Tools to offer besides those of the toolsets.
    pub tools: Vec<String>,
    /// Tools never to offer, whatever else says so.
    pub exclude: Vec<String>,
    /// Drop everything that changes the user's files.
    pub read_only: bool,
}

/// The tools that a server offers.
#[derive(Debug)]
pub struct ToolTable {
    /// In listing order: by toolset, then by name.
    tools: Vec<Tool>,
    /// Names and aliases to positions in `tools`.
    names: HashMap<&'static str, usize>,
}

impl ToolTable {
    /// The tools of `all` that `selection` asks for.
    ///
    /// # Errors
    /// `config_error` for an unknown toolset or tool, with the nearest known names; `internal` for two tools of one name.
    pub fn select(all: Vec<Tool>, selection: &Selection) -> Result<Self> {
        let toolsets = match Toolset::parse_all(&selection.toolsets)? {
            none if none.is_empty() && selection.tools.is_empty() => Toolset::DEFAULT.to_vec(),
            chosen => chosen,
        };
        let canonical = by_name(&all)?;
        let named = resolve_tool_names(&selection.tools, &canonical)?;
        let excluded = resolve_tool_names(&selection.exclude, &canonical)?;
        let mut tools: Vec<Tool> = all
            .into_iter()
            .filter(|tool| toolsets.contains(&tool.toolset) || named.contains(&tool.name))
            .filter(|tool| !excluded.contains(&tool.name))
            .filter_map(|tool| if selection.read_only { tool.read_only() } else { Some(tool) })
            .collect();
        tools.sort_by_key(|tool| (tool.toolset, tool.name));
        let mut names = HashMap::new();
        for (position, tool) in tools.iter().enumerate() {
            names.insert(tool.name, position);
            names.extend(tool.aliases.iter().map(|alias| (*alias, position)));
        }
        Ok(Self { tools, names })
    }

    /// All tools in listing order.
    #[must_use]
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// The tool called `name`, also by one of its aliases.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Tool> {
        self.names.get(name).and_then(|&position| self.tools.get(position))
    }

    /// What to say to a caller who asked for a tool that is not here.
    #[must_use]
    pub fn hint(&self, name: &str) -> String {
        let near = nearest::names(name, self.tools.iter().map(|tool| tool.name));
        if near.is_empty() {
            format!("list the tools to see the {} there are", self.tools.len())
        } else {
            format!("did you mean {}?", near.join(" or "))
        }
    }
}

/// Every name and alias with the name it stands for.
fn by_name(all: &[Tool]) -> Result<BTreeMap<&'static str, &'static str>> {
    let mut names = BTreeMap::new();
    for tool in all {
        for &name in std::iter::once(&tool.name).chain(tool.aliases) {
            if let Some(other) = names.insert(name, tool.name) {
                return Err(Error::internal(format!("the name `{name}` belongs to both {other} and {}", tool.name)));
            }
        }
    }
    Ok(names)
}

fn resolve_tool_names(words: &[String], names: &BTreeMap<&'static str, &'static str>) -> Result<Vec<&'static str>> {
    words
        .iter()
        .map(|word| word.trim())
        .filter(|word| !word.is_empty())
        .map(|word| {
            names.get(word).copied().ok_or_else(|| {
                Error::new(ErrorCode::ConfigError, format!("unknown tool `{word}`"))
                    .hint(nearest::hint(word, names.keys().copied()))
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::json;

    use super::super::{Effects, ToolContext};
    use super::*;
    use crate::dispatch::Reply;

    #[derive(serde::Deserialize, schemars::JsonSchema)]
    #[expect(dead_code, reason = "only the schema is looked at")]
    struct Arguments {
        fix: Option<bool>,
    }

    fn tool(toolset: Toolset, name: &'static str) -> Tool {
        Tool::new(toolset, name, name, |_: Arguments, _: ToolContext| async { Reply::from_serializable(&json!({})) })
    }

    fn all() -> Vec<Tool> {
        vec![
            tool(Toolset::Tags, "tags_replace").with_effects(Effects::Writes),
            tool(Toolset::Quality, "tapps_score_file")
                .with_effects(Effects::WritesWhen("fix"))
                .with_aliases(&["score"]),
            tool(Toolset::Project, "tapps_checklist"),
            tool(Toolset::Quality, "tapps_quality_gate"),
        ]
    }

    fn words(text: &str) -> Vec<String> {
        text.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    #[rstest]
    #[case("", "", "", false, "tapps_quality_gate,tapps_score_file,tapps_checklist")]
    #[case("tags", "", "", false, "tags_replace")]
    #[case("all", "", "", true, "tapps_quality_gate,tapps_score_file,tapps_checklist")]
    #[case("", "score", "", false, "tapps_score_file")]
    #[case("project", "score", "", false, "tapps_score_file,tapps_checklist")]
    #[case("all", "score", "score,tags_replace", false, "tapps_quality_gate,tapps_checklist")]
    fn selects(
        #[case] toolsets: &str,
        #[case] tools: &str,
        #[case] exclude: &str,
        #[case] read_only: bool,
        #[case] listed: &str,
    ) {
        let selection =
            Selection { toolsets: words(toolsets), tools: words(tools), exclude: words(exclude), read_only };
        let table = ToolTable::select(all(), &selection).unwrap();
        assert_eq!(table.tools().iter().map(|tool| tool.name).collect::<Vec<_>>().join(","), listed);
    }

    #[rstest]
    #[case(Selection { tools: words("tapps_scor_file"), ..Selection::default() }, "unknown tool `tapps_scor_file`", "tapps_score_file")]
    #[case(Selection { exclude: words("tags_replac"), ..Selection::default() }, "unknown tool `tags_replac`", "tags_replace")]
    #[case(Selection { toolsets: words("projekt"), ..Selection::default() }, "unknown toolset `projekt`", "project")]
    fn unknown_names_come_with_the_nearest(#[case] selection: Selection, #[case] message: &str, #[case] near: &str) {
        let error = ToolTable::select(all(), &selection).unwrap_err();
        assert_eq!(error.message(), message);
        assert!(error.body().hint.as_deref().unwrap().contains(near), "{error:?}");
    }

    #[test]
    fn aliases_are_callable_and_a_read_only_tool_loses_the_writing_argument() {
        let table = ToolTable::select(all(), &Selection { read_only: true, ..Selection::default() }).unwrap();
        let tool = table.get("score").unwrap();
        assert_eq!(tool.name, "tapps_score_file");
        assert_eq!(tool.effects, Effects::Reads);
        assert!(tool.input["properties"].get("fix").is_none());
    }

    #[test]
    fn one_name_belongs_to_one_tool() {
        let mut twice = all();
        twice.push(tool(Toolset::Tdd, "score"));
        assert!(ToolTable::select(twice, &Selection::default()).unwrap_err().message().contains("`score`"));
    }
}
