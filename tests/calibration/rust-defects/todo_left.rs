// expects tapps:todo-macro
pub fn area(side: f64) -> f64 {
    todo!("square of {side}")
}
