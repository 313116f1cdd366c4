// expects secrets:*
pub fn sign_in() {
    let password = "{{password}}";
    connect("admin", password);
}
