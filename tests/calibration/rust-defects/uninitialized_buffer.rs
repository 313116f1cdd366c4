// expects tapps:uninitialized-memory
pub fn buffer_of(length: usize) -> Vec<u8> {
    let mut buffer = Vec::with_capacity(length);
    // SAFETY: the capacity was asked for.
    unsafe { buffer.set_len(length) };
    buffer
}
