//! Package registries.

use super::common::check_random_token;
use crate::secrets::checksum;
use crate::secrets::secret::{TokenFormat, Named, secrets};
use tapps_base::finding::Severity;

secrets! {
    NPM: "npm-token", High, "An npm token", "Revoke the token in the npm settings and create another";
    NPM_LEGACY: "npm-auth-token", High, "An npm registry credential", "Revoke the token at the registry and create another";
    PYPI: "pypi-token", High, "A PyPI token", "Delete the token in the PyPI account and create another";
    RUBYGEMS: "rubygems-api-key", High, "A RubyGems API key", "Delete the key in the RubyGems settings and create another";
    NUGET: "nuget-api-key", High, "A NuGet API key", "Revoke the key in the NuGet account and create another";
    DOCKER_HUB: "docker-hub-token", High, "A Docker Hub token", "Delete the token in the Docker Hub settings and create another";
    CRATES_IO: "crates-io-token", High, "A Cargo registry token", "Revoke the token in the settings of the registry and create another";
    ARTIFACTORY: "artifactory-api-key", High, "An Artifactory API key", "Revoke the key in the Artifactory profile and create another";
}

pub(super) const FORMATS: &[TokenFormat] = &[
    TokenFormat { secret: NPM, starts: &["npm_"], pattern: "npm_[A-Za-z0-9]{36}", back: 0, check: check_npm_token },
    TokenFormat {
        secret: PYPI,
        starts: &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"],
        pattern: "pypi-AgE(?:IcHlwaS5vcmc|NdGVzdC5weXBpLm9yZ)[A-Za-z0-9_-]{50,}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: RUBYGEMS, starts: &["rubygems_"], pattern: "rubygems_[0-9a-f]{48}", back: 0, check: check_random_token },
    TokenFormat { secret: NUGET, starts: &["oy2"], pattern: "oy2[a-z0-9]{43}", back: 0, check: check_random_token },
    TokenFormat {
        secret: DOCKER_HUB,
        starts: &["dckr_pat_"],
        pattern: "dckr_pat_[A-Za-z0-9_-]{27}",
        back: 0,
        check: check_random_token,
    },
    TokenFormat { secret: CRATES_IO, starts: &["cio"], pattern: "cio[A-Za-z0-9]{32}", back: 0, check: check_random_token },
    TokenFormat { secret: ARTIFACTORY, starts: &["AKCp"], pattern: "AKCp[A-Za-z0-9]{69}", back: 0, check: check_random_token },
];

pub(super) const NAMED: &[Named] = &[Named {
    secret: NPM_LEGACY,
    names: &["authtoken"],
    pattern: "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}",
    check: check_random_token,
}];

/// npm tokens end in a checksum, as GitHub's do.
fn check_npm_token(value: &str, severity: Severity) -> Option<Severity> {
    checksum::has_valid_checksum(value.get(4..)?).then_some(severity)
}
