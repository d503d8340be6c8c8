// Requests around a measurement: create a topic, wait until it answers, ask for its offsets.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "load/connection.h"

namespace millrace::bench {

using TopicConfigs = std::vector<std::pair<std::string, std::string>>;

// Reads `name=value,name=value`.
TopicConfigs ParseConfigs(const std::string& text);

// Creates the topic with one replica, unless it exists, and waits until every partition has a
// leader and answers ListOffsets. Ends the process when that takes more than five minutes.
void EnsureTopic(Connection& connection, const std::string& topic, int32_t partitions,
                 const TopicConfigs& configs = {});

inline constexpr int64_t kEarliest = -2;
inline constexpr int64_t kLatest = -1;

// The first or the next offsets of partitions, those of one or of `count` from `first` on.
std::vector<int64_t> FindOffsets(Connection& connection, const std::string& topic, int32_t first,
                                 int32_t count, int64_t timestamp);
int64_t FindOffset(Connection& connection, const std::string& topic, int32_t partition,
                   int64_t timestamp);

}  // namespace millrace::bench
