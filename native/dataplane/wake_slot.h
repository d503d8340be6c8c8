// WakeSlot: what one reactor waits for on one partition. Waiters live on the reactor's own thread
// and are walked only there; other threads only look at the flags and queue the partition in the
// reactor's mailbox.
//
// No wake-up is lost between a read and a wait. The waiter announces its interest before it looks
// at the log; whoever changed the log looks at the flags afterwards. Both do a read-modify-write
// of the same word: whichever comes second sees what the first did.
#pragma once

#include <atomic>
#include <cstdint>

#include "dataplane/intrusive_list.h"

namespace millrace::dataplane {

struct WatchTag;
struct FlushTag;

// A partition of a fetch that wants to know of appends (fetch_session.h).
class FetchWatch : public ListNode<WatchTag> {};
// A partition of a produce request that waits for the disk (produce_purgatory.h).
class FlushWait : public ListNode<FlushTag> {};

// What happened to a partition.
enum Change : uint32_t {
  kAppended = 1,    // More records, another log start, another leader epoch.
  kFlushed = 2,     // flushed_offset() moved.
  kFailed = 1 | 2,  // Removed or offline: everyone who waits must look.
};

class WakeSlot {
 public:
  // Reactor's thread. From now on Changed() tells of these changes.
  void Announce(uint32_t changes) { flags_.fetch_or(changes, std::memory_order_acq_rel); }
  void Withdraw(uint32_t changes) { flags_.fetch_and(~changes, std::memory_order_acq_rel); }

  // Any thread, after the log changed. True if the caller must queue the partition for the
  // reactor; false if nobody there waits for it or it stands in the queue already.
  bool Changed(uint32_t changes) {
    uint32_t seen = flags_.fetch_add(0, std::memory_order_acq_rel);
    const uint32_t wanted = seen & changes;
    if (wanted == 0) return false;
    seen = flags_.fetch_or(wanted << kQueuedShift, std::memory_order_acq_rel);
    return (seen >> kQueuedShift) == 0;
  }
  // Reactor's thread, when it takes the partition from its queue: which changes to look for. Comes
  // before looking at the log.
  uint32_t Take() {
    const uint32_t seen = flags_.fetch_and(kInterestMask, std::memory_order_acq_rel);
    return seen >> kQueuedShift;
  }

  // Reactor's thread only.
  IntrusiveList<FetchWatch, WatchTag> fetches;
  IntrusiveList<FlushWait, FlushTag> flushes;
  bool appended_this_tick = false;

 private:
  static constexpr uint32_t kQueuedShift = 8;
  static constexpr uint32_t kInterestMask = 0xFF;
  std::atomic<uint32_t> flags_{0};
};

}  // namespace millrace::dataplane
