//! A picture in the language of Graphviz.

use std::fmt::Write as _;

use super::boxes::BoxSyntax;
use super::{Picture, Vertex, VertexShape};

/// The picture as a directed graph.
pub(super) fn render_dot(picture: &Picture) -> String {
    let mut text = String::from(
        "digraph code {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", \
         fontsize=10, color=\"#57606a\"];\n",
    );
    let syntax = BoxSyntax {
        open_frame: |number, name| format!("  subgraph cluster_{number} {{\n    label={};\n", quoted(name)),
        close_frame: "  }\n",
        describe_box,
    };
    picture.write_boxes(&mut text, &syntax);
    for line in &picture.lines {
        let weight = (line.weight > 1).then(|| format!("label=\"{}\"", line.weight));
        let faint = line.faint.then(|| "style=dashed".to_owned());
        let how: Vec<String> = weight.into_iter().chain(faint).collect();
        let how = if how.is_empty() { String::new() } else { format!(" [{}]", how.join(", ")) };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "  n{} -> n{}{how};", line.from, line.to);
    }
    text + "}\n"
}

fn describe_box(one: &Vertex) -> String {
    let shape = match one.shape {
        VertexShape::Folder => ", shape=folder",
        VertexShape::Package => ", shape=ellipse",
        VertexShape::File | VertexShape::Element => "",
    };
    format!(" [label={}{shape}];", quoted(&one.label))
}

fn quoted(label: &str) -> String {
    let plain: String = label.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}
