//! Payment and commerce.

use super::common::{check_random_token, test_mode};
use crate::secrets::secret::{TokenFormat, secrets};

secrets! {
    STRIPE: "stripe-key", High, "A Stripe secret key", "Roll the key in the Stripe dashboard";
    STRIPE_TEST: "stripe-test-key", Low, "A Stripe test key", "Roll the key in the Stripe dashboard";
    STRIPE_WEBHOOK: "stripe-webhook-secret", High, "A Stripe webhook signing secret", "Roll the secret in the Stripe dashboard";
    SHOPIFY: "shopify-token", High, "A Shopify token", "Rotate the token in the Shopify admin";
    SQUARE: "square-token", High, "A Square token", "Replace the token in the Square developer dashboard";
    RAZORPAY: "razorpay-key", Medium, "A Razorpay key id", "Regenerate the key in the Razorpay dashboard";
    BRAINTREE: "braintree-token", High, "A Braintree access token", "Revoke the token in the Braintree control panel";
    PLAID: "plaid-token", High, "A Plaid access token", "Invalidate the token through the Plaid API";
    FLUTTERWAVE: "flutterwave-key", High, "A Flutterwave secret key", "Regenerate the key in the Flutterwave dashboard";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat {
        secret: STRIPE,
        starts: &["sk_live_", "rk_live_"],
        pattern: "[sr]k_live_[A-Za-z0-9]{16,200}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: STRIPE_TEST,
        starts: &["sk_test_", "rk_test_"],
        pattern: "[sr]k_test_[A-Za-z0-9]{16,200}",
        back: 0,
        check: test_mode,
    },
    TokenFormat {
        secret: STRIPE_WEBHOOK,
        starts: &["whsec_"],
        pattern: "whsec_[A-Za-z0-9+/]{32,64}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: SHOPIFY,
        starts: &["shpat_", "shpca_", "shppa_", "shpss_"],
        pattern: "shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: SQUARE,
        starts: &["sq0atp-", "sq0csp-"],
        pattern: "sq0(?:atp-[A-Za-z0-9_-]{22}|csp-[A-Za-z0-9_-]{43})",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: SQUARE, starts: &["EAAA"], pattern: "EAAA[A-Za-z0-9_-]{60}", back: 0, check: check_random_token },
    TokenFormat { secret: RAZORPAY, starts: &["rzp_live_"], pattern: "rzp_live_[A-Za-z0-9]{14}", back: 0, check: check_random_token },
    TokenFormat {
        secret: BRAINTREE,
        starts: &["access_token$production$"],
        pattern: r"access_token\$production\$[a-z0-9]{16}\$[0-9a-f]{32}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat {
        secret: PLAID,
        starts: &["access-production-", "access-development-"],
        pattern: "access-(?:production|development)-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: FLUTTERWAVE, starts: &["FLWSECK-"], pattern: "FLWSECK-[0-9a-f]{32}-X", back: 0, check: check_random_token },
];
