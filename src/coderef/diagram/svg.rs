//! A picture as a drawing that every browser shows.

use std::fmt::Write as _;

use super::layout::{compute_layout, height};
use super::{Picture, Vertex, VertexShape};

/// Longest label in characters; the whole stands in the tooltip.
const LONGEST: usize = 34;

/// Pixels of one character.
const CHARACTER: i64 = 7;

const STYLE: &str = "text{font:12px sans-serif;text-anchor:middle;fill:#1f2328}rect{fill:#f6f8fa;stroke:#57606a}\
.folder{fill:#ddf4ff}.package{fill:#fff8c5}path{fill:none;stroke:#8c959f;marker-end:url(#a)}.faint{stroke-dasharray:4 3}\
#a path{fill:#8c959f;stroke:none;marker-end:none}";

/// The picture as SVG, in layers.
pub(super) fn render_svg(picture: &Picture) -> String {
    let widths: Vec<i64> = picture.boxes.iter().map(width).collect();
    let layout = compute_layout(picture, &widths);
    let (wide, high) = (layout.width.max(1), layout.height.max(1));
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {high}\" width=\"{wide}\" height=\"{high}\">\n\
         <style>{STYLE}</style>\n<defs><marker id=\"a\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" \
         markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
    );
    for (line, route) in picture.lines.iter().zip(&layout.routes) {
        let class = if line.faint { " class=\"faint\"" } else { "" };
        let thick = match line.weight {
            0..=3 => "",
            4..=15 => " stroke-width=\"1.5\"",
            _ => " stroke-width=\"2.5\"",
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<path d=\"{}\"{class}{thick}/>", curve(route));
    }
    for (one, spot) in picture.boxes.iter().zip(&layout.spots) {
        let class = match one.shape {
            VertexShape::Folder => " class=\"folder\"",
            VertexShape::Package => " class=\"package\"",
            VertexShape::File | VertexShape::Element => "",
        };
        let title = match &one.group {
            Some(group) => format!("{group} {}", one.label),
            None => one.label.clone(),
        };
        let _ = writeln!(
            text,
            "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\"{class}/><text x=\"{}\" \
             y=\"{}\">{}</text></g>",
            escaped(&title),
            spot.x - spot.width / 2,
            spot.y,
            spot.width,
            height(),
            spot.x,
            spot.y + height() / 2 + 4,
            escaped(&shorten_label(&one.label))
        );
    }
    text + "</svg>\n"
}

/// How wide a box is, in pixels.
pub(super) fn width(one: &Vertex) -> i64 {
    i64::try_from(shorten_label(&one.label).chars().count()).unwrap_or_default() * CHARACTER + 20
}

/// The end of a long label says more than its beginning.
fn shorten_label(label: &str) -> String {
    let length = label.chars().count();
    if length <= LONGEST {
        return label.to_owned();
    }
    std::iter::once('…').chain(label.chars().skip(length - LONGEST + 1)).collect()
}

/// Curves that leave and enter points upright.
fn curve(route: &[(i64, i64)]) -> String {
    let mut path = String::new();
    for (number, &(x, y)) in route.iter().enumerate() {
        let before = number.checked_sub(1).and_then(|number| route.get(number));
        let _ = match before {
            None => write!(path, "M{x} {y}"),
            Some(&(from, top)) => {
                let middle = i64::midpoint(top, y);
                write!(path, "C{from} {middle} {x} {middle} {x} {y}")
            }
        };
    }
    path
}

fn escaped(text: &str) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
