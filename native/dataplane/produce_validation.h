// What can be said of a Produce request before its batches go to their logs (kafka.md 2.1, 4.6).
// What a log checks itself is not repeated here.
#pragma once

#include <span>

#include "dataplane/partition_table.h"
#include "dataplane/produce_request.h"

namespace millrace::dataplane {

// Finds the partitions of a request and sets the error of those whose batches must not be
// appended. One partition's error leaves the others untouched, unless it is one of the request.
void ValidateProduce(const ProduceRequest& request, std::span<ProducePartition> partitions,
                     const PartitionTable& table);

}  // namespace millrace::dataplane
