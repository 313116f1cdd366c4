// expects tapps:exit-in-library
pub fn check(name: &str) {
    if name.is_empty() {
        std::process::exit(1);
    }
}
