//! A picture in the language of Mermaid.

use std::fmt::Write as _;

use super::boxes::BoxSyntax;
use super::{Picture, Vertex, VertexShape};

/// The picture as a flow chart from top to bottom.
pub(super) fn render_mermaid(picture: &Picture) -> String {
    let mut text = String::from("graph TD\n");
    let syntax = BoxSyntax {
        open_frame: |number, name| format!("  subgraph g{number}[\"{}\"]\n", escaped(name)),
        close_frame: "  end\n",
        describe_box: vertex_syntax,
    };
    picture.write_boxes(&mut text, &syntax);
    for line in &picture.lines {
        let arrow = if line.faint { "-.->" } else { "-->" };
        let weight = if line.weight > 1 { format!("|{}|", line.weight) } else { String::new() };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  n{} {arrow}{weight} n{}", line.from, line.to);
    }
    text
}

fn vertex_syntax(one: &Vertex) -> String {
    let label = escaped(&one.label);
    match one.shape {
        VertexShape::Folder => format!("[[\"{label}\"]]"),
        VertexShape::File | VertexShape::Element => format!("[\"{label}\"]"),
        VertexShape::Package => format!("([\"{label}\"])"),
    }
}

/// What would end or change a quoted label is written as its code.
fn escaped(label: &str) -> String {
    let mut text = String::with_capacity(label.len());
    for character in label.chars() {
        match character {
            '"' => text.push_str("#quot;"),
            '<' => text.push_str("#lt;"),
            '>' => text.push_str("#gt;"),
            // Underscores and asterisks would be read as emphasis.
            '#' | '`' | '&' | ';' | '\\' | '_' | '*' | '~' => {
                let _ = write!(text, "#{};", u32::from(character));
            }
            other if other.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text
}
