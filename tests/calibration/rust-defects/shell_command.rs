// expects tapps:shell-command
pub fn unpack(name: &str) -> std::io::Result<std::process::Output> {
    std::process::Command::new("sh").arg("-c").arg(format!("tar -xf {name}")).output()
}
