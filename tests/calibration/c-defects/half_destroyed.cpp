// expects tapps:destructor-not-virtual
struct Injected {
  virtual int area() const = 0;
  ~Injected() {}
};
