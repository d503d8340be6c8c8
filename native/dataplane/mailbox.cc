#include "dataplane/mailbox.h"

#include <utility>

namespace millrace::dataplane {

Mailbox::Mailbox(net::Reactor& reactor, std::function<void(Mail&)> on_mail)
    : reactor_(reactor), on_mail_(std::move(on_mail)) {}

void Mailbox::PostChanged(std::shared_ptr<Partition> partition) {
  std::unique_lock lock(mutex_);
  waiting_.changed.push_back(std::move(partition));
  Wake(std::move(lock));
}

void Mailbox::PostDelivery(Delivery delivery) {
  std::unique_lock lock(mutex_);
  waiting_.deliveries.push_back(std::move(delivery));
  Wake(std::move(lock));
}

void Mailbox::PostTask(std::function<void()> task) {
  std::unique_lock lock(mutex_);
  waiting_.tasks.push_back(std::move(task));
  Wake(std::move(lock));
}

void Mailbox::Wake(std::unique_lock<std::mutex> lock) {
  const bool first = !std::exchange(posted_, true);
  lock.unlock();
  if (first) reactor_.Post([this] { Open(); });
}

void Mailbox::Open() {
  {
    const std::lock_guard lock(mutex_);
    posted_ = false;
    std::swap(waiting_, opened_);
  }
  on_mail_(opened_);
  opened_.changed.clear();
  opened_.deliveries.clear();
  opened_.tasks.clear();
}

}  // namespace millrace::dataplane
