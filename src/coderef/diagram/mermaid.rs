//! A picture in the language of Mermaid.

use std::fmt::Write as _;

use super::{Picture, Vertex, VertexShape};

/// The picture as a flow chart from top to bottom.
pub(super) fn render_mermaid(picture: &Picture) -> String {
    let mut text = String::from("graph TD\n");
    let mut group: Option<&str> = None;
    let mut groups = 0;
    for (number, one) in picture.boxes.iter().enumerate() {
        if one.group.as_deref() != group {
            if group.is_some() {
                text.push_str("  end\n");
            }
            group = one.group.as_deref();
            if let Some(name) = group {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "  subgraph g{groups}[\"{}\"]", escaped(name));
                groups += 1;
            }
        }
        let indent = if group.is_some() { "    " } else { "  " };
        let _ = writeln!(text, "{indent}n{number}{}", vertex_syntax(one));
    }
    if group.is_some() {
        text.push_str("  end\n");
    }
    for line in &picture.lines {
        let arrow = if line.faint { "-.->" } else { "-->" };
        let weight = if line.weight > 1 { format!("|{}|", line.weight) } else { String::new() };
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
