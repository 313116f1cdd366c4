//! The boxes of a picture in the languages that write one a line, in a frame for each file.

use std::fmt::Write as _;

use super::{Picture, Vertex};

/// How a language writes boxes.
pub(super) struct BoxSyntax {
    /// The line that opens the frame of a file, by its number and name.
    pub(super) open_frame: fn(usize, &str) -> String,
    pub(super) close_frame: &'static str,
    /// What follows the name of a box.
    pub(super) describe_box: fn(&Vertex) -> String,
}

impl Picture {
    /// Writes every box as `n` with its number; boxes of one file stand together.
    pub(super) fn write_boxes(&self, text: &mut String, syntax: &BoxSyntax) {
        let mut group: Option<&str> = None;
        let mut groups = 0;
        for (number, one) in self.boxes.iter().enumerate() {
            if one.group.as_deref() != group {
                if group.is_some() {
                    text.push_str(syntax.close_frame);
                }
                group = one.group.as_deref();
                if let Some(name) = group {
                    text.push_str(&(syntax.open_frame)(groups, name));
                    groups += 1;
                }
            }
            let indent = if group.is_some() { "    " } else { "  " };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{indent}n{number}{}", (syntax.describe_box)(one));
        }
        if group.is_some() {
            text.push_str(syntax.close_frame);
        }
    }
}
