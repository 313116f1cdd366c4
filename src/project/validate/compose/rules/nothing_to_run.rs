//! Services without an image.

use super::super::model::services;
use super::prelude::*;

pub(super) const CHECK: Check<Node> = Check {
    rule: rule(
        "compose-nothing-to-run",
        Category::Maintainability,
        Severity::High,
        "A service needs an image or something to build.",
        "give it `image` or `build`",
    ),
    hadolint: &[],
    run,
};

fn run(root: &Node, sink: &mut Sink<'_>) {
    if root.get("services").is_none() && root.get("include").is_none() {
        sink.say(Place::FILE, "the file has no services");
    }
    for service in services(root) {
        let fragment = ["build", "image", "extends", "provider"].iter().any(|key| service.get(key).is_some());
        // A file of overrides says only what differs.
        let overrides = services(root).iter().any(|other| other.get("image").is_some() || other.get("build").is_some());
        if !fragment && overrides {
            sink.say(service.key.place, format!("the service `{}` has neither `image` nor `build`", service.name));
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn finds_what_it_should_and_nothing_else() {
        super::holds(
            &super::CHECK,
            &[
                ("services:\n  a:\n    image: x:1\n  b:\n    ports: []\n", &[4]),
                ("name: x\n", &[0]),
                ("services:\n  a:\n    ports: []\n", &[]),
            ],
        );
    }
}
