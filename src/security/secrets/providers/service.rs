//! Other services, and credentials in HTTP headers.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_PAD_INDIFFERENT;

use super::common::{check_random_token, random_with_digit};
use crate::secrets::measure::Classes;
use crate::secrets::placeholder::is_placeholder;
use crate::secrets::secret::{TokenFormat, Named, secrets};
use tapps_base::finding::Severity;

secrets! {
    LINEAR: "linear-api-key", High, "A Linear API key", "Delete the key in the Linear settings and create another";
    NOTION: "notion-token", High, "A Notion token", "Regenerate the secret in the Notion integration's settings";
    AIRTABLE: "airtable-token", High, "An Airtable token", "Revoke the token in Airtable and create another";
    FIGMA: "figma-token", High, "A Figma token", "Revoke the token in the Figma settings and create another";
    ASANA: "asana-token", High, "An Asana token", "Revoke the token in the Asana developer console and create another";
    HUBSPOT: "hubspot-token", High, "A HubSpot token", "Rotate the token in the HubSpot private app";
    TYPEFORM: "typeform-token", High, "A Typeform token", "Regenerate the token in the Typeform account";
    CONTENTFUL: "contentful-token", High, "A Contentful management token", "Revoke the token in Contentful and create another";
    SHIPPO: "shippo-token", High, "A Shippo token", "Regenerate the token in the Shippo settings";
    EASYPOST: "easypost-api-key", High, "An EasyPost API key", "Delete the key in the EasyPost account and create another";
    ALGOLIA: "algolia-admin-key", High, "An Algolia admin key", "Regenerate the key in the Algolia dashboard";
    BEARER: "bearer-token", High, "A bearer token", "Revoke the token where it was issued";
    COMMAND_LINE: "command-line-credentials", Medium, "A user name and password on a command line", "Change the password";
    BASIC: "basic-credentials", High, "A user name and password in a Basic header", "Change the password";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: COMMAND_LINE,
        starts: &["-u ", "-u\"", "--user ", "--user=", "--proxy-user "],
        pattern: r#"(?:-u|--user|--proxy-user)[ =]?["']?[A-Za-z0-9._@+-]{1,64}:([^\s"'`<>|;&$:/]{6,64})"#,
        back: 0,
        check: check_chosen_password,
    },
    TokenFormat { secret: LINEAR, starts: &["lin_api_"], pattern: "lin_api_[A-Za-z0-9]{40}", back: 0, check: check_random_token },
    TokenFormat { secret: NOTION, starts: &["ntn_"], pattern: "ntn_[A-Za-z0-9]{46}", back: 0, check: check_random_token },
    TokenFormat { secret: AIRTABLE, starts: &["pat"], pattern: r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}", back: 0, check: check_random_token },
    TokenFormat { secret: FIGMA, starts: &["figd_"], pattern: "figd_[A-Za-z0-9_-]{40}", back: 0, check: check_random_token },
    TokenFormat { secret: ASANA, starts: &["1/12"], pattern: "1/[0-9]{13,17}:[0-9a-f]{32}", back: 0, check: check_random_token },
    TokenFormat {
        secret: HUBSPOT,
        starts: &["pat-na1-", "pat-eu1-", "pat-na2-"],
        pattern: "pat-(?:na|eu)[0-9]-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: TYPEFORM, starts: &["tfp_"], pattern: "tfp_[A-Za-z0-9_.=-]{40,70}", back: 0, check: check_random_token },
    TokenFormat { secret: CONTENTFUL, starts: &["CFPAT-"], pattern: "CFPAT-[A-Za-z0-9_-]{43}", back: 0, check: check_random_token },
    TokenFormat { secret: SHIPPO, starts: &["shippo_live_"], pattern: "shippo_live_[0-9a-f]{40}", back: 0, check: check_random_token },
    TokenFormat { secret: EASYPOST, starts: &["EZAK"], pattern: "EZAK[A-Za-z0-9]{54}", back: 0, check: check_random_token },
    TokenFormat {
        secret: BEARER,
        starts: &["Bearer ", "bearer "],
        pattern: r"[Bb]earer ([A-Za-z0-9_+/=~.-]{20,})",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat { secret: BASIC, starts: &["Basic "], pattern: "Basic ([A-Za-z0-9+/]{12,}={0,2})", back: 0, check: check_basic_auth },
];

pub(super) const NAMED: &[Named] = &[
    Named {
        secret: ALGOLIA,
        names: &["algoliaadmin", "algoliaapi", "algoliawrite"],
        pattern: "[0-9a-f]{32}",
        check: check_random_token,
    },
    // The `auth` entries of a Docker configuration.
    Named { secret: BASIC, names: &["auth"], pattern: "[A-Za-z0-9+/]{16,}={0,2}", check: check_basic_auth },
];

/// Base64 of `user:password` with a password that is not a stand-in.
pub(in crate::secrets) fn check_basic_auth(value: &str, severity: Severity) -> Option<Severity> {
    let decoded = STANDARD_PAD_INDIFFERENT.decode(value).ok()?;
    let text = std::str::from_utf8(&decoded).ok()?;
    let (user, password) = text.split_once(':')?;
    let printable = text.bytes().all(|byte| (b' '..0x7f).contains(&byte));
    let real =
        printable && password.len() >= 6 && user != password && !is_placeholder(password) && !is_open_sesame(password);
    real.then_some(severity)
}

/// The password of the example in the HTTP standard.
fn is_open_sesame(password: &str) -> bool {
    password.eq_ignore_ascii_case("open sesame") || password.eq_ignore_ascii_case("opensesame")
}

/// A password of mixed characters that is not a stand-in.
fn check_chosen_password(value: &str, severity: Severity) -> Option<Severity> {
    let classes = Classes::of(value);
    let mixed = classes.digit && classes.has_letter() && classes.count() >= 2;
    (mixed && !is_placeholder(value)).then_some(severity)
}
