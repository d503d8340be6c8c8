// Requests around a measurement: create a topic, wait until it answers, ask for its offsets.
#pragma once

#include <cstdint>
#include <string>

#include "load/connection.h"

namespace millrace::bench {

// Creates the topic with one replica, unless it exists, and waits until every partition has a
// leader and answers ListOffsets. Ends the process when that takes more than 60 s.
void EnsureTopic(Connection& connection, const std::string& topic, int32_t partitions);

inline constexpr int64_t kEarliest = -2;
inline constexpr int64_t kLatest = -1;

// The first or the next offset of a partition.
int64_t FindOffset(Connection& connection, const std::string& topic, int32_t partition,
                   int64_t timestamp);

}  // namespace millrace::bench
