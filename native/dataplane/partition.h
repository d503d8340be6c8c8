// Partition: a log in service, its leader epoch, and who waits for it on which reactor.
//
// Threads: all members are immutable, atomic or per reactor (WakeSlot). There is no lock here.
// Lock order of the data plane, outermost first: PartitionTable's lock; a log's own mutex; and, as
// leaves under which nothing else is locked, a Mailbox's, the ControlQueue's and the committer's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "base/uuid.h"
#include "dataplane/flush_policy.h"
#include "dataplane/wake_slot.h"
#include "log/log.h"

namespace millrace::dataplane {

// Where a partition stands in the world; never changes (a topic made anew has new partitions).
struct PartitionName {
  std::string topic;
  Uuid topic_id;  // Zero: the topic has none.
  int32_t index = 0;
};

class Partition : public std::enable_shared_from_this<Partition> {
 public:
  Partition(PartitionName name, std::shared_ptr<log::LogDir> dir, std::shared_ptr<log::Log> log,
            size_t reactors);

  const std::string& topic() const { return name_.topic; }
  const Uuid& topic_id() const { return name_.topic_id; }
  int32_t index() const { return name_.index; }
  log::Log& log() const { return *log_; }
  const std::shared_ptr<log::Log>& shared_log() const { return log_; }
  const std::shared_ptr<log::LogDir>& dir() const { return dir_; }
  bool offline() const { return dir_->offline(); }
  // __consumer_offsets and its like: clients must not produce to them.
  bool internal() const { return internal_; }

  int32_t leader_epoch() const { return leader_epoch_.load(std::memory_order_acquire); }
  void set_leader_epoch(int32_t epoch) { leader_epoch_.store(epoch, std::memory_order_release); }

  // True once the partition left the table: it serves nothing any more.
  bool removed() const { return removed_.load(std::memory_order_acquire); }
  void set_removed() { removed_.store(true, std::memory_order_release); }

  FlushPolicy& flush_policy() { return flush_policy_; }

  // Housekeeping (log_ticker.h): was there activity since the last call?
  void MarkActive() { active_.store(true, std::memory_order_relaxed); }
  bool TakeActive() {
    return active_.load(std::memory_order_relaxed) &&
           active_.exchange(false, std::memory_order_relaxed);
  }

  WakeSlot& slot(size_t reactor) { return slots_[reactor]; }

 private:
  const PartitionName name_;
  const std::shared_ptr<log::LogDir> dir_;
  const std::shared_ptr<log::Log> log_;
  const bool internal_;
  std::atomic<int32_t> leader_epoch_{-1};
  std::atomic<bool> removed_{false};
  FlushPolicy flush_policy_;
  std::atomic<bool> active_{true};
  const std::unique_ptr<WakeSlot[]> slots_;
};

}  // namespace millrace::dataplane
