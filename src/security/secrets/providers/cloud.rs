//! Cloud providers.

use super::common::check_random_token;
use crate::secrets::secret::{TokenFormat, Named, secrets};
use tapps_base::finding::Severity;

secrets! {
    AWS_ACCESS_KEY: "aws-access-key", High, "An AWS access key id", "Deactivate the key in IAM and create another";
    AWS_SECRET_KEY: "aws-secret-key", High, "An AWS secret access key", "Deactivate the key in IAM and create another";
    AWS_SESSION: "aws-session-token", High, "An AWS session token", "Revoke the role's sessions in IAM";
    GOOGLE_API: "google-api-key", High, "A Google API key", "Delete the key in the Google Cloud console and create a restricted one";
    GOOGLE_OAUTH: "google-oauth-secret", High, "A Google OAuth client secret", "Reset the secret in the Google Cloud console";
    GOOGLE_REFRESH: "google-oauth-token", High, "A Google OAuth token", "Revoke the grant in the account's security settings";
    AZURE_STORAGE: "azure-storage-key", High, "An Azure storage account key", "Rotate the account key in the Azure portal";
    AZURE_SHARED: "azure-shared-access-key", High, "An Azure shared access key", "Regenerate the policy's key in the Azure portal";
    AZURE_SAS: "azure-sas-signature", High, "An Azure shared access signature", "Rotate the key that signed it in the Azure portal";
    AZURE_CLIENT: "azure-client-secret", High, "An Entra client secret", "Delete the secret in the app registration and add another";
    DIGITALOCEAN: "digitalocean-token", High, "A DigitalOcean token", "Delete the token in the DigitalOcean control panel and create another";
    HEROKU: "heroku-api-key", High, "A Heroku API key", "Regenerate the key in the Heroku account settings";
    CLOUDFLARE: "cloudflare-api-token", High, "A Cloudflare API token", "Roll the token in the Cloudflare dashboard";
    ALIBABA: "alibaba-access-key", High, "An Alibaba Cloud access key id", "Disable the key in the RAM console and create another";
    FLY: "fly-token", High, "A Fly.io token", "Revoke the token with the Fly command line and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: AWS_ACCESS_KEY,
        starts: &["AKIA", "ASIA", "ABIA", "ACCA"],
        pattern: "(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
        back: 0,
        check: access_key,
    },
    TokenFormat { secret: GOOGLE_API, starts: &["AIza"], pattern: "AIza[A-Za-z0-9_-]{35}", back: 0, check: check_random_token },
    TokenFormat { secret: GOOGLE_OAUTH, starts: &["GOCSPX-"], pattern: "GOCSPX-[A-Za-z0-9_-]{28}", back: 0, check: check_random_token },
    TokenFormat { secret: GOOGLE_REFRESH, starts: &["1//0"], pattern: "1//0[A-Za-z0-9_-]{40,110}", back: 0, check: check_random_token },
    TokenFormat {
        secret: GOOGLE_REFRESH,
        starts: &["ya29."],
        pattern: r"ya29\.[A-Za-z0-9_-]{40,250}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: AZURE_STORAGE,
        starts: &["AccountKey="],
        pattern: "AccountKey=([A-Za-z0-9+/]{86}==)",
        back: 0,
        check: storage_key,
    },
    TokenFormat {
        secret: AZURE_SHARED,
        starts: &["SharedAccessKey="],
        pattern: "SharedAccessKey=([A-Za-z0-9+/]{43}=)",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: AZURE_SAS,
        starts: &["sig="],
        pattern: "sig=([A-Za-z0-9%/+]{43,90}(?:%3[Dd]|=))",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: DIGITALOCEAN,
        starts: &["dop_v1_", "doo_v1_", "dor_v1_"],
        pattern: "do[opr]_v1_[0-9a-f]{64}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: HEROKU, starts: &["HRKU-AA"], pattern: "HRKU-AA[A-Za-z0-9_-]{58}", back: 0, check: check_random_token },
    TokenFormat { secret: ALIBABA, starts: &["LTAI"], pattern: "LTAI[A-Za-z0-9]{20}", back: 0, check: check_random_token },
    TokenFormat {
        secret: FLY,
        starts: &["fm2_", "fm1r_", "fm1a_"],
        pattern: "fm(?:2|1r|1a)_[A-Za-z0-9+/_-]{80,}={0,2}",
        back: 0,
        check: check_random_token,
    },
];

pub(super) const NAMED: &[Named] = &[
    Named {
        secret: AWS_SECRET_KEY,
        names: &["awssecret", "secretaccesskey", "awskey", "s3secret"],
        pattern: "[A-Za-z0-9/+]{40}",
        check: check_random_token,
    },
    Named {
        secret: AWS_SESSION,
        names: &["awssession", "sessiontoken", "securitytoken"],
        pattern: "(?:FwoG|IQoJ)[A-Za-z0-9/+=_-]{96,}",
        check: check_random_token,
    },
    Named {
        secret: AZURE_STORAGE,
        names: &["azurestorage", "accountkey", "storagekey"],
        pattern: "[A-Za-z0-9+/]{86}==",
        check: check_random_token,
    },
    Named {
        secret: AZURE_CLIENT,
        names: &["clientsecret", "azure"],
        pattern: "[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        check: check_random_token,
    },
    Named {
        secret: HEROKU,
        names: &["heroku"],
        pattern: "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
        check: check_random_token,
    },
    Named { secret: CLOUDFLARE, names: &["cloudflare", "cfapi"], pattern: "[A-Za-z0-9_-]{37,40}", check: check_random_token },
];

/// Ids of Amazon's own documentation end in `EXAMPLE`.
fn access_key(value: &str, severity: Severity) -> Option<Severity> {
    (!value.ends_with("EXAMPLE")).then_some(())?;
    // The id of a temporary key, as every presigned address shows it, is of no use once the session has ended.
    check_random_token(value, if value.starts_with("ASIA") { Severity::Medium } else { severity })
}

/// The key of the storage emulator is published and the same for everyone.
fn storage_key(value: &str, severity: Severity) -> Option<Severity> {
    (!value.starts_with("Eby8vdM02xNOcq")).then_some(())?;
    check_random_token(value, severity)
}
