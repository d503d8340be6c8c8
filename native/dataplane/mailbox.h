// Mailbox: how other threads reach the handler of one reactor. What is posted before the reactor
// gets to it is taken in one go, so that a burst costs one wake-up of the reactor.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "dataplane/partition.h"
#include "net/reactor.h"
#include "net/response.h"

namespace millrace::dataplane {

// An answer for a connection of this reactor.
struct Delivery {
  uint64_t connection = 0;
  uint64_t place = 0;
  net::Response response;
};

struct Mail {
  std::vector<std::shared_ptr<Partition>> changed;  // WakeSlot::Changed() said so.
  std::vector<Delivery> deliveries;
  std::vector<std::function<void()>> tasks;
};

class Mailbox {
 public:
  // `on_mail` runs on the reactor's thread. The mailbox lives until the reactor's pool has stopped.
  Mailbox(net::Reactor& reactor, std::function<void(Mail&)> on_mail);

  // Any thread.
  void PostChanged(std::shared_ptr<Partition> partition);
  void PostDelivery(Delivery delivery);
  void PostTask(std::function<void()> task);

 private:
  // Takes the lock it was called under, so that the wake-up happens outside of it.
  void Wake(std::unique_lock<std::mutex> lock);
  void Open();

  net::Reactor& reactor_;
  const std::function<void(Mail&)> on_mail_;
  std::mutex mutex_;
  Mail waiting_;         // Guarded by mutex_.
  bool posted_ = false;  // Guarded by mutex_.
  Mail opened_;          // Reactor's thread only; keeps its capacity.
};

}  // namespace millrace::dataplane
