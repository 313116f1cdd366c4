//! How the project gets to where it runs.

use super::libraries::is_aside;
use super::{Judged, ProfileEvidence};
use crate::validate::ConfigKind;

/// Container builds and compose files.
pub(super) fn docker(paths: &[&str]) -> Vec<ProfileEvidence> {
    let one = |path: &&str| {
        let name = match ConfigKind::of_path(path)? {
            ConfigKind::Dockerfile => "dockerfile",
            ConfigKind::DockerCompose => "docker-compose",
            _ => return None,
        };
        Some(ProfileEvidence::new(name, *path))
    };
    paths.iter().filter(|path| !is_aside(path)).filter_map(one).collect()
}

/// Whether a path, with its last part, is such a sign.
type Sign = fn(&str, &str) -> bool;

/// The way it is deployed, the strongest sign first.
pub(super) fn judge_deployment(paths: &[&str], docker: &[ProfileEvidence], packaged: Option<&str>) -> Judged {
    let signs: [(&str, Sign); 4] = [
        ("kubernetes", |_, name| {
            matches!(
                name,
                "Chart.yaml" | "kustomization.yaml" | "kustomization.yml" | "skaffold.yaml" | "helmfile.yaml"
            )
        }),
        ("serverless", |_, name| {
            matches!(
                name,
                "serverless.yml"
                    | "serverless.yaml"
                    | "vercel.json"
                    | "netlify.toml"
                    | "wrangler.toml"
                    | "wrangler.jsonc"
                    | "samconfig.toml"
                    | "firebase.json"
            )
        }),
        ("container", |_, _| false),
        ("cloud", |path, name| {
            path.ends_with(".tf")
                || matches!(
                    name,
                    "Procfile"
                        | "app.yaml"
                        | "fly.toml"
                        | "render.yaml"
                        | "cloudbuild.yaml"
                        | "Pulumi.yaml"
                        | "cdk.json"
                        | "railway.toml"
                        | "appspec.yml"
                )
        }),
    ];
    for (value, sign) in signs {
        let found = paths.iter().filter(|path| !is_aside(path) && sign(path, path.rsplit('/').next().unwrap_or(path)));
        let mut evidence: Vec<String> = found.take(5).map(|path| (*path).to_owned()).collect();
        if value == "container" {
            evidence = docker.iter().take(5).map(|shown| shown.evidence.clone()).collect();
        }
        if !evidence.is_empty() {
            return Judged { value: value.to_owned(), evidence };
        }
    }
    match packaged {
        Some(manifest) => Judged { value: "package".to_owned(), evidence: vec![manifest.to_owned()] },
        None => Judged { value: "none".to_owned(), evidence: Vec::new() },
    }
}
