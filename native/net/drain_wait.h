// DrainWait: what ReactorPool::Drain() waits on while every reactor sends its last responses.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace millrace::net {

class DrainWait {
 public:
  explicit DrainWait(size_t reactors) : missing_(reactors) {}

  // A reactor has sent everything, or (false) gave up because it stops. Any thread.
  void Report(bool sent) {
    const std::lock_guard lock(mutex_);
    missing_--;
    all_sent_ = all_sent_ && sent;
    if (missing_ == 0) done_.notify_all();
  }

  // Whether all reactors reported in time that everything was sent.
  bool Wait(int64_t timeout_ms) {
    std::unique_lock lock(mutex_);
    const auto timeout = std::chrono::milliseconds(timeout_ms);
    return done_.wait_for(lock, timeout, [this] { return missing_ == 0; }) && all_sent_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  size_t missing_;
  bool all_sent_ = true;
};

}  // namespace millrace::net
