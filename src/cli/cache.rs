//! `tapps-mcp cache`: what is kept between runs.

use std::fmt::Write as _;

use clap::Subcommand;
use serde_json::json;

use super::CliContext;
use super::engine::{settings, store};
use super::global::CliOutputFormat;
use tapps_base::{Result, exit};
use tapps_store::StoreSummary;

#[derive(Debug, Subcommand)]
pub enum CacheCommand {
    /// Show where it is, what is in it and how much it may come to
    Show {
        /// What to write on standard output
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
    /// Remove everything in it
    Clear,
    /// Read every entry and remove those that were damaged; exit code 1 when there were any
    Verify {
        /// What to write on standard output
        #[arg(long, value_name = "FORMAT", default_value = "human")]
        format: CliOutputFormat,
    },
}

impl CacheCommand {
    pub(super) fn speaks_json(&self) -> bool {
        matches!(self, Self::Show { format: CliOutputFormat::Json } | Self::Verify { format: CliOutputFormat::Json })
    }
}

/// Runs one command and returns the exit code.
///
/// # Errors
/// `internal` when the cache cannot be read or written.
pub async fn run(command: &CacheCommand, context: &CliContext) -> Result<u8> {
    let store = store(context, &settings(context)?);
    match command {
        CacheCommand::Show { format: CliOutputFormat::Json } => context.out.write_json(&store.summary()?)?,
        CacheCommand::Show { format: CliOutputFormat::Human } => {
            context.out.write(&render_cache_summary(&store.summary()?))?
        }
        CacheCommand::Clear => {
            let before = store.summary()?;
            store.clear()?;
            context.out.write(&format!("removed {} entries, {}\n", before.entries, format_byte_size(before.bytes)))?;
        }
        CacheCommand::Verify { format } => {
            let verified = store.verify()?;
            if *format == CliOutputFormat::Json {
                context.out.write_json(&json!(verified))?;
            } else {
                let (sound, removed) = (verified.sound, verified.removed);
                context.out.write(&format!("{sound} entries are sound, {removed} were damaged and removed\n"))?;
            }
            return Ok(if verified.removed == 0 { exit::CLEAN } else { exit::FINDINGS });
        }
    }
    Ok(exit::CLEAN)
}

fn render_cache_summary(summary: &StoreSummary) -> String {
    let mut text = format!(
        "folder   {}\nsize     {} of {}\nentries  {}\n",
        summary.folder.display(),
        format_byte_size(summary.bytes),
        format_byte_size(summary.most_bytes),
        summary.entries
    );
    for (kind, (entries, bytes)) in &summary.kinds {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  {kind:<8} {entries:>7}  {:>9}", format_byte_size(*bytes));
    }
    text
}

/// Bytes in the largest unit that leaves a number of at least 1, with one decimal.
fn format_byte_size(bytes: u64) -> String {
    let tenths = |unit: u64| format!("{}.{}", bytes / unit, bytes % unit * 10 / unit);
    match bytes {
        0..1_024 => format!("{bytes} B"),
        1_024..1_048_576 => format!("{} KiB", tenths(1 << 10)),
        1_048_576..1_073_741_824 => format!("{} MiB", tenths(1 << 20)),
        _ => format!("{} GiB", tenths(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        let said = [0, 1_023, 1_024, 1_587, 1 << 20, (5 << 30) + (1 << 29)].map(format_byte_size);
        assert_eq!(said, ["0 B", "1023 B", "1.0 KiB", "1.5 KiB", "1.0 MiB", "5.5 GiB"]);
    }
}
