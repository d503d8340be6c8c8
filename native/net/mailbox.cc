// Posting and taking tasks; see mailbox.h.
#include "net/mailbox.h"

#include <sys/eventfd.h>

namespace millrace::net {

void Mailbox::Post(Task task) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    // A task dropped here is destroyed by the caller's frame, outside of the lock.
    if (closed_) return;
    tasks_.push_back(std::move(task));
    wake = std::exchange(asleep_, false);
  }
  // Fails only if the counter is full, and then the reactor has been woken already.
  if (wake) eventfd_write(event_.get(), 1);
}

bool Mailbox::BeginSleep() {
  const std::lock_guard lock(mutex_);
  if (!tasks_.empty()) return false;
  asleep_ = true;
  return true;
}

void Mailbox::TakeAll(std::vector<Task>& tasks) {
  const std::lock_guard lock(mutex_);
  asleep_ = false;
  tasks.swap(tasks_);
}

void Mailbox::Close() {
  std::vector<Task> dropped;
  const std::lock_guard lock(mutex_);
  closed_ = true;
  dropped.swap(tasks_);
  // `dropped` is declared before the lock, hence destroyed after it is released: a task's captures
  // may post once more when they die.
}

}  // namespace millrace::net
