// expects tapps:ignored-result
pub fn keep(text: &str) {
    let _ = std::fs::write("settings.toml", text);
}
