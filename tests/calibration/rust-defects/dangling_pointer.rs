// expects tapps:dangling-pointer
pub fn address_of(name: &str) -> *const u8 {
    let address = name.to_string().as_ptr();
    address
}
