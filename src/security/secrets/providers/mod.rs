//! The formats of known providers, one declaration each, by field.

mod common;

tapps_base::declare_rules! {
    pub(super) families;
    ai,
    chat,
    cloud,
    git,
    infrastructure,
    package,
    payment,
    service,
}

pub(super) use cloud::{AWS_ACCESS_KEY, AWS_SECRET_KEY};

use super::secret::{Named, TokenFormat};

/// Every format that is told by its beginning.
pub(super) fn formats() -> impl Iterator<Item = &'static TokenFormat> {
    [
        ai::FORMATS,
        chat::FORMATS,
        cloud::FORMATS,
        git::FORMATS,
        infrastructure::FORMATS,
        package::FORMATS,
        payment::FORMATS,
        service::FORMATS,
    ]
    .into_iter()
    .flatten()
}

/// Every format that is told by the name it is assigned to.
pub(super) fn named_formats() -> impl Iterator<Item = &'static Named> {
    [chat::NAMED, cloud::NAMED, infrastructure::NAMED, package::NAMED, service::NAMED].into_iter().flatten()
}
