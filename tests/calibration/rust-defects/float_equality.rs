// expects tapps:float-equality
pub fn is_dime(amount: f64) -> bool {
    amount == 0.1
}
