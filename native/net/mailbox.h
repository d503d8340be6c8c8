// Mailbox: tasks that other threads want run on a reactor's thread, and the eventfd that wakes the
// reactor for them. The eventfd is written only while the reactor sleeps and only once for many
// posts, and never read: it is watched edge-triggered.
#pragma once

#include <functional>
#include <mutex>
#include <vector>

#include "net/descriptor.h"

namespace millrace::net {

class Mailbox {
 public:
  using Task = std::function<void()>;

  explicit Mailbox(Descriptor event) : event_(std::move(event)) {}
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Any thread. A task posted after Close() is dropped.
  void Post(Task task);

  // The rest is called on the reactor's thread only.
  // Announces that the reactor is about to sleep. False if tasks wait: do not sleep.
  bool BeginSleep();
  // Moves all waiting tasks to `tasks` (which must be empty), in the order they were posted. Posts
  // do not wake until the next BeginSleep().
  void TakeAll(std::vector<Task>& tasks);
  // Drops the tasks that wait and those to come.
  void Close();
  int event() const { return event_.get(); }

 private:
  Descriptor event_;
  std::mutex mutex_;
  std::vector<Task> tasks_;
  bool asleep_ = false;
  bool closed_ = false;
};

}  // namespace millrace::net
