// Descriptor: owns a file descriptor of a socket, an epoll set or an eventfd and closes it.
#pragma once

#include <unistd.h>

#include <utility>

namespace millrace::net {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int value) : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      Close();
      value_ = std::exchange(other.value_, -1);
    }
    return *this;
  }
  ~Descriptor() { Close(); }

  int get() const { return value_; }
  bool valid() const { return value_ >= 0; }
  void Close() {
    if (value_ >= 0) close(std::exchange(value_, -1));
  }

 private:
  int value_ = -1;
};

}  // namespace millrace::net
