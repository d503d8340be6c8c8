#include "dataplane/produce_validation.h"

#include <algorithm>
#include <utility>

#include "base/endian.h"

namespace millrace::dataplane {
namespace {

constexpr size_t kMagicAt = 16;
constexpr size_t kAttributesAt = 21;
constexpr uint8_t kMagicV2 = 2;
constexpr uint16_t kTransactionalBit = 1 << 4;
constexpr int16_t kTopicIdsSince = 13;

bool IsTransactional(const ProducePartition& partition) {
  if (partition.records == nullptr || partition.size < kAttributesAt + 2) return false;
  return partition.records[kMagicAt] == kMagicV2 &&
         (LoadBe16(partition.records + kAttributesAt) & kTransactionalBit) != 0;
}

void FailAll(std::span<ProducePartition> partitions, KafkaError error, const char* message) {
  for (ProducePartition& partition : partitions) partition.Fail(error, message);
}

// True if the request as a whole is refused.
bool RefuseRequest(const ProduceRequest& request, std::span<ProducePartition> partitions) {
  if (request.acks < -1 || request.acks > 1) {
    FailAll(partitions, KafkaError::kInvalidRequiredAcks, "acks must be -1 (all), 0 or 1.");
    return true;
  }
  if (!request.transactional && std::ranges::any_of(partitions, IsTransactional)) {
    FailAll(partitions, KafkaError::kTransactionalIdAuthorizationFailed,
            "A batch is transactional, but the request names no transactional id.");
    return true;
  }
  return false;
}

void Find(const ProduceRequest& request, ProducePartition& partition, const PartitionTable& table) {
  if (request.version < kTopicIdsSince) {
    partition.partition = table.Find(partition.topic, partition.index);
    if (partition.partition == nullptr) partition.Fail(KafkaError::kUnknownTopicOrPartition);
    return;
  }
  PartitionTable::Found found = table.FindById(partition.topic_id, partition.index);
  partition.partition = std::move(found.partition);
  if (found.error == KafkaError::kNone) return;
  const bool known = found.error == KafkaError::kUnknownTopicOrPartition;
  partition.Fail(known ? KafkaError::kUnknownTopicOrPartition : KafkaError::kUnknownTopicId);
}

void Check(const ProduceRequest& request, ProducePartition& partition) {
  if (partition.partition->internal() && !request.admin) {
    partition.Fail(KafkaError::kInvalidTopicException,
                   "Clients must not write to this topic; the broker keeps it.");
  } else if (partition.records == nullptr) {
    partition.Fail(KafkaError::kInvalidRecord, "The records are null; one batch is required.");
  } else if (IsTransactional(partition)) {
    partition.Fail(KafkaError::kInvalidTxnState,
                   "This broker does not support transactions yet; use a producer without "
                   "transactional.id.");
  } else if (partition.partition->offline()) {
    partition.Fail(KafkaError::kKafkaStorageError,
                   "The log directory of the partition failed; see the broker's log.");
  }
}

}  // namespace

void ValidateProduce(const ProduceRequest& request, std::span<ProducePartition> partitions,
                     const PartitionTable& table) {
  if (RefuseRequest(request, partitions)) return;
  for (ProducePartition& partition : partitions) {
    Find(request, partition, table);
    if (partition.error == KafkaError::kNone) Check(request, partition);
  }
}

}  // namespace millrace::dataplane
