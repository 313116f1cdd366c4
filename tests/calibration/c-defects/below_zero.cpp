// expects tapps:unsigned-below-zero
bool injected(std::size_t left) { return left < 0; }
