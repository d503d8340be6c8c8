#include "log/producer_state.h"

#include <algorithm>

namespace millrace::log {

void ProducerEntry::Add(const ProducerBatch& batch) {
  newest = batch_count == 0 ? 0 : static_cast<uint8_t>((newest + 1) % kBatches);
  batches[newest] = batch;
  if (batch_count < kBatches) ++batch_count;
}

namespace {

const ProducerBatch* FindDuplicate(const ProducerEntry& entry, const record::RecordBatch& batch) {
  if (batch.producer_epoch() != entry.epoch) return nullptr;
  const int32_t first = batch.base_sequence();
  const int32_t last = batch.last_sequence();
  for (uint8_t i = 0; i < entry.batch_count; ++i) {
    const ProducerBatch& known = entry.batches[i];
    if (known.last_sequence == last && known.first_sequence() == first) return &known;
  }
  return nullptr;
}

bool Follows(int32_t last_sequence, int32_t first_sequence) {
  return first_sequence == (last_sequence < 0 ? 0 : record::AddToSequence(last_sequence, 1));
}

}  // namespace

SequenceCheck ProducerStateTable::Check(const record::RecordBatch& batch,
                                        ProducerBatch& duplicate) const {
  const auto found = entries_.find(batch.producer_id());
  // No state: it may have expired, so any sequence is accepted.
  if (found == entries_.end()) return SequenceCheck::kInOrder;
  const ProducerEntry& entry = found->second;
  if (const ProducerBatch* known = FindDuplicate(entry, batch)) {
    duplicate = *known;
    return SequenceCheck::kDuplicate;
  }
  if (batch.producer_epoch() < entry.epoch) return SequenceCheck::kStaleEpoch;
  const bool in_order = batch.producer_epoch() == entry.epoch
                            ? Follows(entry.last_sequence(), batch.base_sequence())
                            : batch.base_sequence() == 0;
  if (!in_order) return SequenceCheck::kOutOfOrder;
  if (entry.transaction_first_offset >= 0 && !batch.is_transactional()) {
    return SequenceCheck::kOpenTransaction;
  }
  return SequenceCheck::kInOrder;
}

void ProducerStateTable::Update(const record::RecordBatch& batch, int64_t now_ms) {
  ProducerEntry& entry = entries_[batch.producer_id()];
  if (batch.producer_epoch() != entry.epoch) {
    entry.epoch = batch.producer_epoch();
    entry.batch_count = 0;
  }
  entry.last_used_ms = now_ms;
  entry.last_timestamp = batch.max_timestamp();
  if (batch.is_control()) {
    entry.transaction_first_offset = -1;
    return;
  }
  entry.Add(ProducerBatch{batch.last_sequence(), batch.last_offset(), batch.last_offset_delta(),
                          batch.max_timestamp()});
  if (batch.is_transactional() && entry.transaction_first_offset < 0) {
    entry.transaction_first_offset = batch.base_offset();
  }
}

void ProducerStateTable::Expire(int64_t now_ms, int64_t expiration_ms) {
  std::erase_if(entries_, [&](const auto& item) {
    const ProducerEntry& entry = item.second;
    return entry.transaction_first_offset < 0 && now_ms - entry.last_used_ms >= expiration_ms;
  });
}

int64_t ProducerStateTable::FirstOpenTransactionOffset() const {
  int64_t first = -1;
  for (const auto& [producer_id, entry] : entries_) {
    const int64_t offset = entry.transaction_first_offset;
    if (offset >= 0 && (first < 0 || offset < first)) first = offset;
  }
  return first;
}

}  // namespace millrace::log
