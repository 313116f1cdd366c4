// expects tapps:caught-by-value
void injected() {
  try {
    work();
  } catch (std::exception error) {
    report(error.what());
  }
}
