//! `tapps-mcp config`: what is set, where it came from, and the schema.

use std::fmt::Write as _;

use clap::Subcommand;
use serde_json::{Value, json};

use super::Context;
use super::global::Format;
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_config::{Config, Origins};

/// Show the configuration
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show every value in force
    Show {
        /// Say where each value came from
        #[arg(long)]
        origin: bool,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: Format,
    },
    /// Write the JSON Schema of the configuration files
    Schema,
}

impl Args {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(self.command, Action::Show { format: Format::Json, .. })
    }
}

/// Runs the command.
///
/// # Errors
/// `internal` when standard output cannot be written.
pub async fn run(args: Args, context: &Context) -> Result<u8> {
    match args.command {
        Action::Show { origin, format: Format::Json } => {
            let mut shown = json!({ "config": *context.config });
            if origin {
                shown["origins"] = json!(context.origins);
            }
            context.out.json(&shown)?;
        }
        Action::Show { origin, format: Format::Human } => {
            let origins = origin.then_some(&context.origins);
            context.out.write(&listing(&context.config, origins)?)?;
        }
        Action::Schema => context.out.write(&Config::json_schema()?)?,
    }
    Ok(exit::CLEAN)
}

/// One line per key, as it would stand in a file, with its origin as a comment.
fn listing(config: &Config, origins: Option<&Origins>) -> Result<String> {
    let tree = serde_json::to_value(config)
        .map_err(|e| Error::internal(format!("the configuration has no JSON form: {e}")))?;
    let mut lines = Vec::new();
    flatten("", &tree, &mut lines);
    let width = lines.iter().map(|(key, value)| key.len() + value.len() + 3).max().unwrap_or_default().min(60);
    Ok(lines.iter().fold(String::new(), |mut text, (key, value)| {
        let line = format!("{key} = {value}");
        // Writing to a String cannot fail.
        let _ = match origins {
            Some(origins) => writeln!(text, "{line:width$}  # {}", log_text(&origins.of(key).to_string())),
            None => writeln!(text, "{line}"),
        };
        text
    }))
}

fn flatten(prefix: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten(&key, value, lines);
            }
        }
        // JSON's scalars and lists are TOML's as well.
        value => lines.push((prefix.to_owned(), value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_listing_is_a_configuration_file() {
        let mut config = Config::default();
        config.toolchain.python = Some("/usr/bin/python3".into());
        config.exclude = vec!["a\"b".into(), "c".into()];
        config.gates.insert("team".into(), Default::default());
        let text = listing(&config, Some(&Origins::default())).unwrap();
        let read: Config = toml::from_str(&text).unwrap();
        config.gates.clear();
        assert_eq!(read, config);
        assert!(text.contains("preset = \"standard\"") && text.contains("  # default\n"), "{text}");
    }
}
