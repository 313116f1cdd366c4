// expects tapps:weak-cryptography
pub fn hash_password(password: &str) -> [u8; 16] {
    md5::compute(password).0
}
