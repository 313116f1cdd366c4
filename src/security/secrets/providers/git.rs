//! Code hosts.

use super::common::{check_random_token, random_with_digit};
use crate::secrets::checksum;
use crate::secrets::secret::{TokenFormat, secrets};
use tapps_base::finding::Severity;

secrets! {
    GITHUB: "github-token", High, "A GitHub token", "Revoke the token in the GitHub developer settings and create another";
    GITHUB_FINE: "github-fine-grained-token", High, "A GitHub fine-grained token", "Revoke the token in the GitHub developer settings and create another";
    GITLAB: "gitlab-token", High, "A GitLab token", "Revoke the token in GitLab and create another";
    BITBUCKET: "bitbucket-token", High, "A Bitbucket app password", "Revoke the app password in Bitbucket and create another";
    ATLASSIAN: "atlassian-token", High, "An Atlassian API token", "Revoke the token in the Atlassian account and create another";
    GITEA: "sourcegraph-token", High, "A Sourcegraph token", "Delete the token in Sourcegraph and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: GITHUB,
        starts: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        pattern: "gh[pousr]_[A-Za-z0-9]{36}",
        back: 0,
        check: check_classic_token,
    },
    TokenFormat {
        secret: GITHUB_FINE,
        starts: &["github_pat_"],
        pattern: "github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat {
        secret: GITLAB,
        starts: &["glpat-", "gldt-", "glrt-", "glptt-", "glcbt-", "glsoat-", "glft-", "glagent-", "gloas-", "glimt-"],
        pattern: r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|oas|imt)-[A-Za-z0-9_.-]{20,128}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: BITBUCKET, starts: &["ATBB"], pattern: "ATBB[A-Za-z0-9]{32}", back: 0, check: random_with_digit },
    TokenFormat {
        secret: ATLASSIAN,
        starts: &["ATATT3xFf"],
        pattern: "ATATT3xFf[A-Za-z0-9_=-]{150,210}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: GITEA,
        starts: &["sgp_"],
        pattern: "sgp_(?:[0-9a-f]{16}_|local_)?[0-9a-f]{40}",
        back: 0,
        check: check_random_token,
    },
];

/// Classic tokens end in a checksum of what precedes it, so that a made-up one is told without asking anybody.
fn check_classic_token(value: &str, severity: Severity) -> Option<Severity> {
    let payload = value.get(4..)?;
    checksum::has_valid_checksum(payload).then_some(severity)
}
