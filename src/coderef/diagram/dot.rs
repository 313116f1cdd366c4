//! A picture in the language of Graphviz.

use std::fmt::Write as _;

use super::{Picture, VertexShape};

/// The picture as a directed graph.
pub(super) fn render_dot(picture: &Picture) -> String {
    let mut text = String::from(
        "digraph code {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", \
         fontsize=10, color=\"#57606a\"];\n",
    );
    let mut group: Option<&str> = None;
    let mut groups = 0;
    for (number, one) in picture.boxes.iter().enumerate() {
        if one.group.as_deref() != group {
            if group.is_some() {
                text.push_str("  }\n");
            }
            group = one.group.as_deref();
            if let Some(name) = group {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "  subgraph cluster_{groups} {{\n    label={};", quoted(name));
                groups += 1;
            }
        }
        let indent = if group.is_some() { "    " } else { "  " };
        let shape = match one.shape {
            VertexShape::Folder => ", shape=folder",
            VertexShape::Package => ", shape=ellipse",
            VertexShape::File | VertexShape::Element => "",
        };
        let _ = writeln!(text, "{indent}n{number} [label={}{shape}];", quoted(&one.label));
    }
    if group.is_some() {
        text.push_str("  }\n");
    }
    for line in &picture.lines {
        let weight = (line.weight > 1).then(|| format!("label=\"{}\"", line.weight));
        let faint = line.faint.then(|| "style=dashed".to_owned());
        let how: Vec<String> = weight.into_iter().chain(faint).collect();
        let how = if how.is_empty() { String::new() } else { format!(" [{}]", how.join(", ")) };
        let _ = writeln!(text, "  n{} -> n{}{how};", line.from, line.to);
    }
    text + "}\n"
}

fn quoted(label: &str) -> String {
    let plain: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}
