// expects tapps:empty-handler
int injected(const std::string& text) {
  try {
    return std::stoi(text);
  } catch (const std::exception& error) {
  }
  return 0;
}
