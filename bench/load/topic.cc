#include "load/topic.h"

#include <time.h>

#include <algorithm>

#include "wire/clock.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr int16_t kTopicAlreadyExists = 36;
constexpr int64_t kPatienceSeconds = 300;

void CreateTopic(Connection& connection, const std::string& topic, int32_t partitions,
                 const TopicConfigs& configs) {
  Encoder request;
  request.BeginRequest(kCreateTopicsApi);
  request.Int32(1);
  request.String(topic);
  request.Int32(partitions);
  request.Int16(1);
  request.Int32(0);
  request.Int32(static_cast<int32_t>(configs.size()));
  for (const auto& [name, value] : configs) {
    request.String(name);
    request.String(value);
  }
  request.Int32(kPatienceSeconds * 1000);
  request.Int8(0);
  const std::string bytes = connection.Call(request);
  Decoder response(bytes);
  response.Int32();
  response.Count();
  response.String();
  const int16_t error = response.Int16();
  const std::string message(response.String());
  if (!response.ok() || (error != 0 && error != kTopicAlreadyExists)) {
    Fail("CreateTopics of %s failed with error %d: %s", topic.c_str(), error, message.c_str());
  }
}

// True when Metadata names a leader for `partitions` partitions.
bool HasLeaders(Connection& connection, const std::string& topic, int32_t partitions) {
  Encoder request;
  request.BeginRequest(kMetadataApi);
  request.Int32(1);
  request.String(topic);
  request.Int8(0);
  const std::string bytes = connection.Call(request);
  Decoder response(bytes);
  response.Int32();
  for (int32_t broker = response.Count(); broker > 0; broker--) {
    response.Int32();
    response.String();
    response.Int32();
    response.String();
  }
  response.String();
  response.Int32();
  response.Count();
  bool ready = response.Int16() == 0;
  response.String();
  response.Int8();
  const int32_t count = response.Count();
  for (int32_t partition = 0; partition < count; partition++) {
    ready = response.Int16() == 0 && ready;
    response.Int32();
    ready = response.Int32() >= 0 && ready;
    for (int list = 0; list < 2; list++) {
      for (int32_t replica = response.Count(); replica > 0; replica--) {
        response.Int32();
      }
    }
  }
  return response.ok() && ready && count == partitions;
}

// Asks for the offsets of `count` partitions from `first` on in one request and appends them to
// `offsets`. Returns the first error code that is not 0.
int16_t AskOffsets(Connection& connection, const std::string& topic, int32_t first, int32_t count,
                   int64_t timestamp, std::vector<int64_t>& offsets) {
  Encoder request;
  request.BeginRequest(kListOffsetsApi);
  request.Int32(-1);
  request.Int32(1);
  request.String(topic);
  request.Int32(count);
  for (int32_t at = 0; at < count; at++) {
    request.Int32(first + at);
    request.Int64(timestamp);
  }
  const std::string bytes = connection.Call(request);
  Decoder response(bytes);
  response.Count();
  response.String();
  int16_t first_error = 0;
  for (int32_t left = response.Count(); left > 0; left--) {
    response.Int32();
    const int16_t error = response.Int16();
    first_error = first_error == 0 ? error : first_error;
    response.Int64();
    offsets.push_back(response.Int64());
  }
  if (!response.ok()) {
    Fail("The answer to ListOffsets was cut short.");
  }
  return first_error;
}

bool Answers(Connection& connection, const std::string& topic, int32_t partitions) {
  std::vector<int64_t> offsets;
  return HasLeaders(connection, topic, partitions) &&
         AskOffsets(connection, topic, 0, partitions, kLatest, offsets) == 0;
}

}  // namespace

void EnsureTopic(Connection& connection, const std::string& topic, int32_t partitions,
                 const TopicConfigs& configs) {
  CreateTopic(connection, topic, partitions, configs);
  const int64_t deadline = MonotonicNanos() + kPatienceSeconds * 1'000'000'000;
  while (!Answers(connection, topic, partitions)) {
    if (MonotonicNanos() > deadline) {
      Fail("The topic %s did not get %d partitions with leaders within %d s.", topic.c_str(),
           partitions, static_cast<int>(kPatienceSeconds));
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

TopicConfigs ParseConfigs(const std::string& text) {
  TopicConfigs configs;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    const std::string pair = text.substr(at, end - at);
    const size_t equals = pair.find('=');
    if (equals == std::string::npos) {
      Fail("--configs %s: expected name=value, separated by commas.", text.c_str());
    }
    configs.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    at = end + 1;
  }
  return configs;
}

std::vector<int64_t> FindOffsets(Connection& connection, const std::string& topic, int32_t first,
                                 int32_t count, int64_t timestamp) {
  std::vector<int64_t> offsets;
  const int16_t error = AskOffsets(connection, topic, first, count, timestamp, offsets);
  if (error != 0 || offsets.size() != static_cast<size_t>(count)) {
    Fail("ListOffsets of %s-%d failed with error %d.", topic.c_str(), first, error);
  }
  return offsets;
}

int64_t FindOffset(Connection& connection, const std::string& topic, int32_t partition,
                   int64_t timestamp) {
  return FindOffsets(connection, topic, partition, 1, timestamp).front();
}

}  // namespace millrace::bench
