//! `tapps-mcp config`: what is set, where it came from, and the schema.

use std::fmt::Write as _;

use clap::Subcommand;
use serde_json::{Value, json};

use super::CliContext;
use super::global::CliOutputFormat;
use tapps_base::log_text;
use tapps_base::{Error, Result, exit};
use tapps_config::{Config, Origins};

/// Show the configuration
#[derive(Debug, clap::Args)]
pub struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    /// Show every value in force
    Show {
        /// Say where each value came from
        #[arg(long)]
        origin: bool,
        /// How to write it
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Write the JSON Schema of the configuration files
    Schema,
}

impl ConfigArgs {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(self.command, ConfigCommand::Show { format: CliOutputFormat::Json, .. })
    }
}

/// Runs the command.
///
/// # Errors
/// `internal` when standard output cannot be written.
pub async fn run(args: ConfigArgs, context: &CliContext) -> Result<u8> {
    match args.command {
        ConfigCommand::Show { origin, format: CliOutputFormat::Json } => {
            let mut shown = json!({ "config": *context.config });
            if origin {
                shown["origins"] = json!(context.origins);
            }
            context.out.write_json(&shown)?;
        }
        ConfigCommand::Show { origin, format: CliOutputFormat::Human } => {
            let origins = origin.then_some(&context.origins);
            context.out.write(&render_config_listing(&context.config, origins)?)?;
        }
        ConfigCommand::Schema => context.out.write(&Config::json_schema()?)?,
    }
    Ok(exit::CLEAN)
}

/// One line per key, as it would stand in a file, with its origin as a comment.
fn render_config_listing(config: &Config, origins: Option<&Origins>) -> Result<String> {
    let tree = serde_json::to_value(config)
        .map_err(|e| Error::internal(format!("the configuration has no JSON form: {e}")))?;
    let mut lines = Vec::new();
    flatten_config("", &tree, &mut lines);
    let width = lines.iter().map(|(key, value)| key.len() + value.len() + 3).max().unwrap_or_default().min(60);
    Ok(lines.iter().fold(String::new(), |mut text, (key, value)| {
        let line = format!("{key} = {value}");
        // Writing to a String cannot fail.
        let _ = match origins {
            Some(origins) => writeln!(text, "{line:width$}  # {}", log_text(&origins.origin_of(key).to_string())),
            None => writeln!(text, "{line}"),
        };
        text
    }))
}

fn flatten_config(prefix: &str, value: &Value, lines: &mut Vec<(String, String)>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
                flatten_config(&key, value, lines);
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
        let text = render_config_listing(&config, Some(&Origins::default())).unwrap();
        let read: Config = toml::from_str(&text).unwrap();
        config.gates.clear();
        assert_eq!(read, config);
        assert!(text.contains("preset = \"standard\"") && text.contains("  # default\n"), "{text}");
    }
}
