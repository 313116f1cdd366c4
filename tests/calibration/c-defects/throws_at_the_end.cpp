// expects tapps:throwing-destructor
struct Injected {
  ~Injected() { throw std::runtime_error("late"); }
};
