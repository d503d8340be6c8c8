// Kafka's error codes that the data plane answers with. The full table is
// src/protocol/error-codes.ts.
#pragma once

#include <cstdint>

namespace millrace {

enum class KafkaError : int16_t {
  kUnknownServerError = -1,
  kNone = 0,
  kOffsetOutOfRange = 1,
  kCorruptMessage = 2,
  kUnknownTopicOrPartition = 3,
  kNotLeaderOrFollower = 6,
  kRequestTimedOut = 7,
  kMessageTooLarge = 10,
  kInvalidTopicException = 17,
  kRecordListTooLarge = 18,
  kNotEnoughReplicas = 19,
  kInvalidRequiredAcks = 21,
  kInvalidTimestamp = 32,
  kUnsupportedVersion = 35,
  kInvalidRequest = 42,
  kOutOfOrderSequenceNumber = 45,
  kInvalidProducerEpoch = 47,
  kInvalidTxnState = 48,
  kTransactionalIdAuthorizationFailed = 53,
  kKafkaStorageError = 56,
  kFetchSessionIdNotFound = 70,
  kInvalidFetchSessionEpoch = 71,
  kFencedLeaderEpoch = 74,
  kUnknownLeaderEpoch = 75,
  kUnsupportedCompressionType = 76,
  kInvalidRecord = 87,
  kUnknownTopicId = 100,
  kInconsistentTopicId = 103,
  kFetchSessionTopicIdError = 106,
};

}  // namespace millrace
