// expects tapps:shell-command
int injected(const std::string& name) {
  return std::system(("rm " + name).c_str());
}
