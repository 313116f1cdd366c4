// expects tapps:lock-across-await
pub async fn add_later(total: &std::sync::Mutex<u32>, number: impl Future<Output = u32>) {
    let mut sum = total.lock().unwrap();
    *sum += number.await;
}
