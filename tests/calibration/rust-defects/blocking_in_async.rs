// expects tapps:blocking-in-async
pub async fn read_page(name: &str) -> std::io::Result<String> {
    let text = std::fs::read_to_string(name)?;
    Ok(text)
}
