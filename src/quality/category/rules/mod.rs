//! Rules about what is measured of a file as a whole; the categories beside check them.

tapps_base::declare_rules! {
    pub rules;
    complex_block,
    complex_on_average,
    low_maintainability_index,
}
