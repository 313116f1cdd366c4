//! The one writer of standard output, and the plain one of the error stream.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use super::global::{CliOutputFormat, Color};
use super::human::style::Style;
use tapps_base::{Error, Result};

/// Standard output. A reader that has gone away (`tapps-mcp … | head`) is not an error: the rest is dropped.
#[derive(Clone)]
pub struct Out {
    to: Arc<Mutex<OutputStream>>,
    style: Style,
}

struct OutputStream {
    stream: Box<dyn Write + Send>,
    closed: bool,
}

tapps_base::debug_fields!(Out { style });

impl Out {
    #[must_use]
    pub fn new(color: Color) -> Self {
        Self::with_stream(Box::new(io::stdout()), style_for_stream(color, &io::stdout()))
    }

    /// A writer to somewhere else.
    #[must_use]
    pub fn with_stream(stream: Box<dyn Write + Send>, style: Style) -> Self {
        Self { to: Arc::new(Mutex::new(OutputStream { stream, closed: false })), style }
    }

    /// Whether standard output wants colour.
    #[must_use]
    pub fn style(&self) -> Style {
        self.style
    }

    /// Writes text as it stands and hands it to the reader at once.
    ///
    /// # Errors
    /// `internal` with the system's word, for example when the disk is full.
    pub fn write(&self, text: &str) -> Result<()> {
        let mut target = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        if target.closed {
            return Ok(());
        }
        let written = target.stream.write_all(text.as_bytes()).and_then(|()| target.stream.flush());
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                target.closed = true;
                Ok(())
            }
            Err(error) => Err(Error::io("cannot write to standard output", &error)),
            Ok(()) => Ok(()),
        }
    }

    /// Writes a value as indented JSON and a line end.
    ///
    /// # Errors
    /// As [`Out::write`].
    pub fn write_json(&self, value: &impl Serialize) -> Result<()> {
        self.write(&json_text(value)?)
    }

    /// Writes a value for programs as JSON, for people as `render` says it.
    ///
    /// # Errors
    /// As [`Out::write`].
    pub fn write_report<R: Serialize>(
        &self,
        report: &R,
        format: CliOutputFormat,
        render: impl FnOnce(&R, Style) -> String,
    ) -> Result<()> {
        match format {
            CliOutputFormat::Json => self.write_json(report),
            CliOutputFormat::Human => self.write(&render(report, self.style)),
        }
    }
}

/// A value as indented JSON and a line end.
///
/// # Errors
/// `internal` when it has no such form.
pub(super) fn json_text(value: &impl Serialize) -> Result<String> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|e| Error::internal(format!("the result has no JSON form: {e}")))?;
    Ok(text + "\n")
}

/// Writes to the error stream; there is nobody left to tell when that fails.
pub(super) fn to_stderr(text: &str) {
    let mut stream = io::stderr().lock();
    let _ = stream.write_all(text.as_bytes()).and_then(|()| stream.flush());
}

/// True when a stream should get colour.
pub(super) fn is_color_wanted(color: Color, stream: &impl RawStream) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => AutoStream::choice(stream) != ColorChoice::Never,
    }
}

/// The style for a stream.
pub(super) fn style_for_stream(color: Color, stream: &impl RawStream) -> Style {
    Style { colour: is_color_wanted(color, stream) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tapps_base::ErrorCode;

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_left_is_no_error_and_a_full_disk_is() {
        let plain = Style { colour: false };
        let gone = Out::with_stream(Box::new(Fails(io::ErrorKind::BrokenPipe)), plain);
        gone.write("a").unwrap();
        gone.write_json(&1).unwrap();
        let full = Out::with_stream(Box::new(Fails(io::ErrorKind::StorageFull)), plain);
        assert_eq!(full.write("a").unwrap_err().code(), ErrorCode::ResourceExhausted);
    }
}
