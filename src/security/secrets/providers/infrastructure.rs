//! Secret stores, monitoring and deployment.

use super::common::check_random_token;
use crate::secrets::secret::{TokenFormat, Named, secrets};

secrets! {
    VAULT: "vault-token", High, "A Vault token", "Revoke the token in Vault";
    DOPPLER: "doppler-token", High, "A Doppler token", "Revoke the token in Doppler and create another";
    TERRAFORM: "terraform-token", High, "A Terraform Cloud token", "Delete the token in Terraform Cloud and create another";
    PULUMI: "pulumi-token", High, "A Pulumi token", "Delete the token in Pulumi and create another";
    DATABRICKS: "databricks-token", High, "A Databricks token", "Revoke the token in the Databricks workspace and create another";
    GRAFANA: "grafana-token", High, "A Grafana token", "Delete the service account's token in Grafana and add another";
    NEW_RELIC: "new-relic-key", High, "A New Relic key", "Delete the key in New Relic and create another";
    SENTRY: "sentry-token", High, "A Sentry token", "Revoke the token in the Sentry settings and create another";
    DATADOG: "datadog-key", High, "A Datadog key", "Revoke the key in the Datadog settings and create another";
    DYNATRACE: "dynatrace-token", High, "A Dynatrace token", "Delete the token in Dynatrace and create another";
    AGE: "age-secret-key", High, "An age secret key", "Encrypt the data again to a new key";
    PLANETSCALE: "planetscale-password", High, "A PlanetScale password", "Delete the password in PlanetScale and create another";
    TAILSCALE: "tailscale-key", High, "A Tailscale key", "Revoke the key in the Tailscale console and create another";
    POSTMAN: "postman-api-key", High, "A Postman API key", "Delete the key in the Postman settings and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: VAULT,
        starts: &["hvs.", "hvb.", "hvr."],
        pattern: r"hv[sbr]\.[A-Za-z0-9_-]{24,200}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: DOPPLER,
        starts: &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."],
        pattern: r"dp\.(?:pt|ct|sa|scim|audit|st(?:\.[a-z0-9_-]{2,35})?)\.[A-Za-z0-9]{40,44}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: TERRAFORM,
        starts: &[".atlasv1."],
        pattern: r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}",
        back: 14,
        check: check_random_token,
    },
    TokenFormat { secret: PULUMI, starts: &["pul-"], pattern: "pul-[0-9a-f]{40}", back: 0, check: check_random_token },
    TokenFormat { secret: DATABRICKS, starts: &["dapi"], pattern: "dapi[0-9a-f]{32}(?:-[0-9])?", back: 0, check: check_random_token },
    TokenFormat { secret: GRAFANA, starts: &["glsa_"], pattern: "glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}", back: 0, check: check_random_token },
    TokenFormat {
        secret: GRAFANA,
        starts: &["glc_eyJ"],
        pattern: "glc_eyJ[A-Za-z0-9+/]{50,}={0,2}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: NEW_RELIC,
        starts: &["NRAK-", "NRII-"],
        pattern: "NR(?:AK-[A-Z0-9]{27}|II-[A-Za-z0-9_-]{32})",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: SENTRY,
        starts: &["sntrys_", "sntryu_"],
        pattern: "sntry(?:s_eyJ[A-Za-z0-9+/=_-]{60,}|u_[0-9a-f]{64})",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: DYNATRACE,
        starts: &["dt0c01."],
        pattern: r"dt0c01\.[A-Z2-7]{24}\.[A-Z2-7]{64}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: AGE,
        starts: &["AGE-SECRET-KEY-1"],
        pattern: "AGE-SECRET-KEY-1[0-9A-Z]{58}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: PLANETSCALE,
        starts: &["pscale_pw_", "pscale_tkn_"],
        pattern: r"pscale_(?:pw|tkn)_[A-Za-z0-9_.=-]{32,64}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: TAILSCALE,
        starts: &["tskey-"],
        pattern: "tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9]{8,20}-[A-Za-z0-9]{20,40}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: POSTMAN, starts: &["PMAK-"], pattern: "PMAK-[0-9a-f]{24}-[0-9a-f]{34}", back: 0, check: check_random_token },
];

pub(super) const NAMED: &[Named] = &[
    Named {
        secret: DATADOG,
        names: &["datadog", "ddapi", "ddapp"],
        pattern: "(?:[0-9a-f]{32}|[0-9a-f]{40})",
        check: check_random_token,
    },
    Named { secret: VAULT, names: &["vaulttoken"], pattern: r"s\.[A-Za-z0-9]{24}", check: check_random_token },
];
