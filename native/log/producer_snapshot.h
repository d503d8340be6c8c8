// The .snapshot file: the producer state of a log up to the offset in the file's name (layout:
// docs/log-format.md). Of the five cached batches only the newest is stored, as in Kafka.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "log/producer_state.h"

namespace millrace::log {

std::vector<uint8_t> EncodeProducerSnapshot(const ProducerStateTable& table);

// kCorrupt: version, length or CRC is wrong. Producers count as used at `now_ms`.
Result<ProducerStateTable> DecodeProducerSnapshot(std::span<const uint8_t> bytes, int64_t now_ms);

}  // namespace millrace::log
