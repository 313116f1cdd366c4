//! Chat and messaging.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::common::{check_random_token, random_with_digit};
use crate::secrets::secret::{TokenFormat, Named, secrets};
use tapps_base::finding::Severity;

secrets! {
    SLACK_TOKEN: "slack-token", High, "A Slack token", "Revoke the token in the Slack app's settings and install the app again";
    SLACK_WEBHOOK: "slack-webhook", High, "A Slack webhook address", "Remove the webhook in the Slack app's settings and add another";
    DISCORD_TOKEN: "discord-token", High, "A Discord bot token", "Reset the token in the Discord developer portal";
    DISCORD_WEBHOOK: "discord-webhook", High, "A Discord webhook address", "Delete the webhook in the channel's settings and create another";
    TELEGRAM: "telegram-bot-token", High, "A Telegram bot token", "Revoke the token with BotFather";
    TEAMS_WEBHOOK: "teams-webhook", High, "A Microsoft Teams webhook address", "Remove the connector and add another";
    TWILIO_KEY: "twilio-api-key", High, "A Twilio API key", "Delete the key in the Twilio console and create another";
    TWILIO_TOKEN: "twilio-auth-token", High, "A Twilio auth token", "Rotate the auth token in the Twilio console";
    SENDGRID: "sendgrid-api-key", High, "A SendGrid API key", "Delete the key in the SendGrid settings and create another";
    MAILGUN: "mailgun-api-key", High, "A Mailgun API key", "Rotate the key in the Mailgun control panel";
    MAILCHIMP: "mailchimp-api-key", High, "A Mailchimp API key", "Revoke the key in the Mailchimp account and create another";
    BREVO: "brevo-api-key", High, "A Brevo API key", "Delete the key in the Brevo settings and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: DISCORD_TOKEN,
        // Base64 of an id in decimal digits can begin in no other way.
        starts: &["MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        pattern: r"[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
        back: 0,
        check: check_bot_token,
    },
    TokenFormat {
        secret: SLACK_TOKEN,
        starts: &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxc-", "xoxd-", "xoxe.xox"],
        pattern: r"xox[abcdeprs](?:\.xox[bp])?-(?:[0-9]{1,14}-)+[A-Za-z0-9-]{16,160}",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat {
        secret: SLACK_TOKEN,
        starts: &["xapp-"],
        pattern: "xapp-[0-9]-[A-Z0-9]{8,14}-[0-9]{10,14}-[a-f0-9]{40,80}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: SLACK_WEBHOOK,
        starts: &["hooks.slack.com/"],
        pattern: "hooks\\.slack\\.com/(?:services|workflows)/(T[A-Z0-9]{7,12}/[AB][A-Z0-9]{7,12}/[A-Za-z0-9]{20,28})",
        back: 0,
        check: random_with_digit,
    },
    TokenFormat {
        secret: DISCORD_WEBHOOK,
        starts: &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"],
        pattern: "discord(?:app)?\\.com/api/webhooks/([0-9]{17,20}/[A-Za-z0-9_-]{60,72})",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: TELEGRAM,
        starts: &[":AA"],
        pattern: "[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}",
        back: 10,
        check: check_random_token,
    },
    TokenFormat {
        secret: TEAMS_WEBHOOK,
        starts: &[".webhook.office.com/webhookb2/"],
        pattern: "\\.webhook\\.office\\.com/webhookb2/([0-9a-f-]{36}@[0-9a-f-]{36}/IncomingWebhook/[0-9a-f]{32}/[0-9a-f-]{36})",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: TWILIO_KEY, starts: &["SK"], pattern: "SK[0-9a-f]{32}", back: 0, check: check_random_token },
    TokenFormat {
        secret: SENDGRID,
        starts: &["SG."],
        pattern: r"SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: MAILGUN, starts: &["key-"], pattern: "key-[0-9a-f]{32}", back: 0, check: check_random_token },
    TokenFormat { secret: MAILCHIMP, starts: &["-us"], pattern: "[0-9a-f]{32}-us[0-9]{1,2}", back: 32, check: check_random_token },
    TokenFormat {
        secret: BREVO,
        starts: &["xkeysib-"],
        pattern: "xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}",
        back: 0,
        check: check_random_token,
    },
];

pub(super) const NAMED: &[Named] = &[
    Named { secret: TWILIO_TOKEN, names: &["twilio"], pattern: "[0-9a-f]{32}", check: check_random_token },
    Named { secret: MAILGUN, names: &["mailgun"], pattern: "[0-9a-f]{32}(?:-[0-9a-f]{8}){2}", check: check_random_token },
    Named {
        secret: DISCORD_TOKEN,
        names: &["discord", "bottoken"],
        pattern: r"[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}",
        check: check_random_token,
    },
];

/// The first part of a bot's token is the bot's id in decimal digits.
fn check_bot_token(value: &str, severity: Severity) -> Option<Severity> {
    let id = STANDARD_NO_PAD.decode(value.split('.').next()?).ok()?;
    id.iter().all(u8::is_ascii_digit).then_some(severity)
}
