#include "dataplane/control_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace millrace::dataplane {

bool ControlQueue::Push(ControlRequest request) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(request));
  return !std::exchange(told_, true);
}

ControlQueue::Taken ControlQueue::Take(size_t requests_max) {
  Taken taken;
  const std::lock_guard lock(mutex_);
  const size_t count = std::min(requests_max, waiting_.size());
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  taken.requests.assign(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  taken.more = !waiting_.empty();
  told_ = taken.more;
  return taken;
}

bool ControlQueue::Release(size_t bytes) {
  const size_t before = unanswered_.fetch_sub(bytes, std::memory_order_relaxed);
  return before > bytes_max_ && before - bytes <= bytes_max_;
}

}  // namespace millrace::dataplane
