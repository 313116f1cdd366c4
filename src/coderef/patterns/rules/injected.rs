//! What is given to code from outside: classes marked for it, and parameters that say what they depend on.

use crate::model::{EdgeKind, EdgeTarget, GraphNode};
use crate::patterns::{Evidence, PatternGroup, PatternRule, View};

pub(super) const RULE: PatternRule = PatternRule {
    id: "injected",
    group: PatternGroup::DependencyInjection,
    title: "classes and parameters for dependency injection",
    find: find_injected_dependencies,
};

const DECORATORS: [&str; 10] =
    ["Autowired", "Bean", "Component", "Inject", "Injectable", "Module", "Provides", "Service", "inject", "injectable"];

/// Functions that say what a parameter depends on, with their modules.
const CALLS: [(&str, &str); 4] = [
    ("dependency_injector.wiring", "Provide"),
    ("fastapi", "Depends"),
    ("fastapi", "Security"),
    ("fastapi.params", "Depends"),
];

fn find_injected_dependencies(view: &View<'_>) -> Vec<Evidence> {
    let mut found = view.evidence_in_elements(|element| {
        let marked = element.decorators.iter().find(|name| {
            let last = name.rsplit('.').next().unwrap_or(name);
            DECORATORS.binary_search(&last).is_ok()
        });
        marked.map(|name| Some(format!("@{name}")))
    });
    for edge in view.index.edges.iter().filter(|edge| edge.kind == EdgeKind::Call) {
        let EdgeTarget::External { module, name: Some(name) } = &edge.to else { continue };
        if !CALLS.contains(&(module.as_str(), name.as_str())) {
            continue;
        }
        let (file, element) = match edge.from {
            GraphNode::File(file) => (file, None),
            GraphNode::Element(id) => match view.index.elements.get(id.0 as usize) {
                Some(element) => (element.file, Some(element.path.clone())),
                None => continue,
            },
        };
        let path = view.index.files.get(file.0 as usize).map_or("", |file| file.path.as_str());
        found.extend(edge.sites.iter().map(|(line, _)| Evidence {
            file: path.to_owned(),
            line: *line,
            end_line: *line,
            element: element.clone(),
            detail: Some(format!("{module}.{name}")),
        }));
    }
    found
}
