#include "dataplane/produce_purgatory.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "dataplane/produce_response.h"

namespace millrace::dataplane {

void ParkedProduce::OnTimer() { purgatory.Expire(*this); }
void ParkedProduce::Cancel() { purgatory.Drop(*this); }

ProducePurgatory::ProducePurgatory(net::Reactor& reactor)
    : reactor_(reactor), index_(static_cast<size_t>(reactor.index())) {}

ProducePurgatory::~ProducePurgatory() {
  while (ParkedProduce* parked = parked_.front()) delete parked;
}

bool ProducePurgatory::MustWait(const ProducePartition& partition) {
  return partition.awaits_disk && partition.error == KafkaError::kNone &&
         partition.partition->log().offsets().flushed_offset <= partition.last_offset;
}

void ProducePurgatory::Park(const ProduceRequest& request, std::span<ProducePartition> partitions,
                            size_t wait_count) {
  auto* parked = new ParkedProduce(*this, wait_count);
  parked->request = request;
  parked->reply_to = request.reply_to;
  parked->partitions.assign(std::make_move_iterator(partitions.begin()),
                            std::make_move_iterator(partitions.end()));
  parked_.PushBack(parked);
  ++parked_count_;
  StateOf(*request.reply_to.connection).parked.PushBack(parked);
  reactor_.Arm(*parked, request.timeout_ms);
  AddWaits(*parked);

  // What the committer finished before it could see these waits.
  for (ParkedProduce::Wait& wait : parked->waits) {
    if (!wait.linked()) continue;
    const Partition& partition = *parked->partitions[wait.partition].partition;
    if (const auto outcome = OutcomeOf(partition, wait)) Settle(wait, *outcome);
  }
  if (parked->waiting == 0) Answer(*parked);
}

void ProducePurgatory::AddWaits(ParkedProduce& parked) {
  // The frame that the topics' names lie in goes away.
  const auto unknown = [](const ProducePartition& p) { return p.partition == nullptr; };
  parked.names.reserve(static_cast<size_t>(std::ranges::count_if(parked.partitions, unknown)));
  for (size_t i = 0; i < parked.partitions.size(); ++i) {
    ProducePartition& partition = parked.partitions[i];
    if (partition.partition == nullptr) {
      if (!partition.topic.empty()) partition.topic = parked.names.emplace_back(partition.topic);
      continue;
    }
    if (!partition.topic.empty()) partition.topic = partition.partition->topic();
    if (parked.waiting == parked.waits.size() || !MustWait(partition)) continue;
    ParkedProduce::Wait& wait = parked.waits[parked.waiting++];
    wait.produce = &parked;
    wait.partition = i;
    wait.required = partition.last_offset + 1;
    WakeSlot& slot = partition.partition->slot(index_);
    slot.flushes.PushBack(&wait);
    slot.Announce(kFlushed);
  }
}

void ProducePurgatory::OnChanged(Partition& partition) {
  WakeSlot& slot = partition.slot(index_);
  if (slot.flushes.empty()) {
    slot.Withdraw(kFlushed);
    return;
  }
  for (FlushWait* waiting = slot.flushes.front(); waiting != nullptr;) {
    FlushWait* next = slot.flushes.Next(waiting);
    auto& wait = *static_cast<ParkedProduce::Wait*>(waiting);
    const auto outcome = OutcomeOf(partition, wait);
    if (!outcome.has_value()) return;  // The waits behind it came later.
    Settle(wait, *outcome);
    if (wait.produce->waiting == 0) Answer(*wait.produce);
    waiting = next;
  }
}

std::optional<KafkaError> ProducePurgatory::OutcomeOf(const Partition& partition,
                                                      const ParkedProduce::Wait& wait) {
  if (partition.log().offsets().flushed_offset >= wait.required) return KafkaError::kNone;
  if (partition.removed()) return KafkaError::kUnknownTopicOrPartition;
  if (partition.offline()) return KafkaError::kKafkaStorageError;
  return std::nullopt;
}

void ProducePurgatory::Settle(ParkedProduce::Wait& wait, KafkaError error) {
  wait.Unlink();
  if (error != KafkaError::kNone) wait.produce->partitions[wait.partition].Fail(error);
  --wait.produce->waiting;
}

void ProducePurgatory::Expire(ParkedProduce& parked) {
  for (ParkedProduce::Wait& wait : parked.waits) {
    if (wait.linked()) parked.partitions[wait.partition].Fail(KafkaError::kRequestTimedOut);
  }
  Answer(parked);
}

void ProducePurgatory::Answer(ParkedProduce& parked) {
  net::Response response = BuildProduceResponse(parked.request, parked.partitions);
  const ReplyTo reply_to = parked.reply_to;
  Drop(parked);
  reply_to.connection->Respond(reply_to.place, std::move(response));
}

void ProducePurgatory::Drop(ParkedProduce& parked) {
  reactor_.Cancel(parked);
  --parked_count_;
  delete &parked;  // Leaves all lists by itself.
}

}  // namespace millrace::dataplane
