// ProducePurgatory: the produces of one reactor whose batches are appended but not on disk yet and
// whose answers wait for that (acks=all, DESIGN 4.7; flush.messages). Runs on the reactor's own
// thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dataplane/context.h"
#include "dataplane/parked_request.h"
#include "dataplane/produce_request.h"

namespace millrace::dataplane {

struct ParkedTag;
class ProducePurgatory;

class ParkedProduce final : public ParkedRequest, public ListNode<ParkedTag> {
 public:
  // One partition that waits until flushed_offset() reaches `required`.
  struct Wait : FlushWait {
    ParkedProduce* produce = nullptr;
    size_t partition = 0;  // In `partitions`.
    int64_t required = 0;
  };

  ParkedProduce(ProducePurgatory& owner, size_t wait_count) : purgatory(owner), waits(wait_count) {}
  void OnTimer() override;
  void Cancel() override;

  ProducePurgatory& purgatory;
  ProduceRequest request;
  std::vector<ProducePartition> partitions;
  std::vector<Wait> waits;
  std::vector<std::string> names;  // Of topics that are not here; views point to them.
  size_t waiting = 0;
};

class ProducePurgatory {
 public:
  explicit ProducePurgatory(net::Reactor& reactor);
  ~ProducePurgatory();

  // Whether an answer must wait for that partition's disk.
  static bool MustWait(const ProducePartition& partition);
  // Takes the partitions out of the span. Answers at once if everything is on disk by now, else
  // when it is, when the log dir fails (kKafkaStorageError), or when the request's timeout passes
  // (kRequestTimedOut; the records stay).
  void Park(const ProduceRequest& request, std::span<ProducePartition> partitions,
            size_t wait_count);

  // A partition was flushed, failed or was removed.
  void OnChanged(Partition& partition);
  void Expire(ParkedProduce& parked);
  void Drop(ParkedProduce& parked);
  size_t parked() const { return parked_count_; }

 private:
  // What the wait for one partition came to; nullopt: it goes on.
  static std::optional<KafkaError> OutcomeOf(const Partition& partition,
                                             const ParkedProduce::Wait& wait);
  // Ends the wait for one partition.
  static void Settle(ParkedProduce::Wait& wait, KafkaError error);
  void Answer(ParkedProduce& parked);
  void AddWaits(ParkedProduce& parked);

  net::Reactor& reactor_;
  const size_t index_;
  IntrusiveList<ParkedProduce, ParkedTag> parked_;  // Owns them.
  size_t parked_count_ = 0;
};

}  // namespace millrace::dataplane
