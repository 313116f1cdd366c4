//! Calibration of C and C++: published code scores well, and every injected defect is noticed and named.
//!
//! `TAPPS_TEST_SYSTEMS=1 cargo test --test it c_calibration -- --nocapture` prints the tables of `docs/calibration.md`.

use crate::c_oracle::{C_PACKAGES, CPP_PACKAGES, ENDINGS, package_root};
use crate::calibration::{Defect, assert_defects_are_noticed, assert_respected_code_scores_well, read_defects};
use crate::systems::{self, System};

/// Files of argon2 that defects are put into.
const C_HOSTS: [&str; 3] = ["argon2/src/core.c", "argon2/src/encoding.c", "argon2/src/thread.c"];
/// Files of leveldb that defects are put into.
const CPP_HOSTS: [&str; 3] = ["db/filename.cc", "table/block.cc", "util/coding.cc"];
const LEVELDB: &str = "deps/leveldb/leveldb-1.20";

fn assert_defects_of(ending: &str, package: &str, folder: &str, files: &[&str]) {
    let mut defects: Vec<Defect> = read_defects("tests/calibration/c-defects");
    defects.retain(|defect| defect.ending == ending);
    assert!(defects.len() >= 20, "{}", defects.len());
    let root = package_root(package).join(folder);
    let host = |file: &&str| {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        (file.rsplit('/').next().unwrap().to_owned(), text)
    };
    assert_defects_are_noticed(&defects, &files.iter().map(host).collect::<Vec<_>>());
}

#[test]
fn every_injected_defect_is_noticed_and_named_in_c() {
    if systems::require(System::Node).is_some() {
        assert_defects_of("c", "argon2-node", "", &C_HOSTS);
    }
}

#[test]
fn every_injected_defect_is_noticed_and_named_in_cpp() {
    if systems::require(System::Node).is_some() {
        assert_defects_of("cpp", "classic-level", LEVELDB, &CPP_HOSTS);
    }
}

#[test]
fn published_c_scores_well() {
    if systems::require(System::Node).is_some() {
        let packages = C_PACKAGES.map(|package| (package, "."));
        assert_respected_code_scores_well(&packages, package_root, &ENDINGS, 100);
    }
}

#[test]
fn published_cpp_scores_well() {
    if systems::require(System::Node).is_some() {
        let packages = CPP_PACKAGES.map(|package| (package, "."));
        assert_respected_code_scores_well(&packages, package_root, &ENDINGS, 100);
    }
}
