// expects tapps:mismatched-hash
#[derive(Hash)]
pub struct NameAt {
    name: String,
    line: u32,
}

impl PartialEq for NameAt {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
