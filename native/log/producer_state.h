// ProducerStateTable: what a partition knows of its idempotent producers: epoch and the last five
// batches of each. It tells duplicates from new batches and refuses gaps (KIP-98). Saved in
// .snapshot files (producer_snapshot.h).
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "record/record_batch.h"

namespace millrace::log {

struct ProducerBatch {
  int32_t last_sequence = -1;
  int64_t last_offset = -1;
  int32_t offset_delta = 0;  // last offset - first offset.
  int64_t timestamp = -1;    // maxTimestamp of the batch.

  int32_t first_sequence() const { return record::AddToSequence(last_sequence, -offset_delta); }
  int64_t first_offset() const { return last_offset - offset_delta; }
};

struct ProducerEntry {
  static constexpr size_t kBatches = 5;

  int16_t epoch = -1;
  uint8_t batch_count = 0;
  uint8_t newest = 0;  // Index in `batches`.
  int32_t coordinator_epoch = -1;
  int64_t last_timestamp = -1;
  int64_t last_used_ms = 0;  // The broker's clock; expiration does not trust client timestamps.
  int64_t transaction_first_offset = -1;
  std::array<ProducerBatch, kBatches> batches;

  const ProducerBatch* Newest() const { return batch_count == 0 ? nullptr : &batches[newest]; }
  int32_t last_sequence() const { return batch_count == 0 ? -1 : batches[newest].last_sequence; }
  void Add(const ProducerBatch& batch);
};

enum class SequenceCheck : uint8_t {
  kInOrder,
  kDuplicate,        // Stored before; the batch found says where.
  kOutOfOrder,       // OUT_OF_ORDER_SEQUENCE_NUMBER
  kStaleEpoch,       // INVALID_PRODUCER_EPOCH
  kOpenTransaction,  // INVALID_TXN_STATE: a plain batch while a transaction of this producer is
                     // open.
};

// Not thread-safe: guarded by the log's mutex.
class ProducerStateTable {
 public:
  // Whether a batch of a producer may be appended. `duplicate` is set for kDuplicate.
  SequenceCheck Check(const record::RecordBatch& batch, ProducerBatch& duplicate) const;
  // Takes note of a batch in the log, its offsets assigned. Without checks: also used for replay.
  void Update(const record::RecordBatch& batch, int64_t now_ms);
  // Forgets producers that wrote nothing for `expiration_ms`, except those with an open
  // transaction.
  void Expire(int64_t now_ms, int64_t expiration_ms);

  // The first offset of the oldest open transaction; -1: none is open.
  int64_t FirstOpenTransactionOffset() const;

  using Entries = std::unordered_map<int64_t, ProducerEntry>;
  Entries& entries() { return entries_; }
  const Entries& entries() const { return entries_; }

 private:
  Entries entries_;
};

}  // namespace millrace::log
