#include "load/topic.h"

#include <time.h>

#include "wire/clock.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

constexpr int16_t kTopicAlreadyExists = 36;
constexpr int64_t kPatienceNanos = 60'000'000'000;

void CreateTopic(Connection& connection, const std::string& topic, int32_t partitions) {
  Encoder request;
  request.BeginRequest(kCreateTopicsApi);
  request.Int32(1);
  request.String(topic);
  request.Int32(partitions);
  request.Int16(1);
  request.Int32(0);
  request.Int32(0);
  request.Int32(30'000);
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

// The error code of ListOffsets; `offset` is set when it is 0.
int16_t AskOffset(Connection& connection, const std::string& topic, int32_t partition,
                  int64_t timestamp, int64_t& offset) {
  Encoder request;
  request.BeginRequest(kListOffsetsApi);
  request.Int32(-1);
  request.Int32(1);
  request.String(topic);
  request.Int32(1);
  request.Int32(partition);
  request.Int64(timestamp);
  const std::string bytes = connection.Call(request);
  Decoder response(bytes);
  response.Count();
  response.String();
  response.Count();
  response.Int32();
  const int16_t error = response.Int16();
  response.Int64();
  offset = response.Int64();
  if (!response.ok()) {
    Fail("The answer to ListOffsets was cut short.");
  }
  return error;
}

bool Answers(Connection& connection, const std::string& topic, int32_t partitions) {
  int64_t offset = 0;
  bool answers = HasLeaders(connection, topic, partitions);
  for (int32_t partition = 0; answers && partition < partitions; partition++) {
    answers = AskOffset(connection, topic, partition, kLatest, offset) == 0;
  }
  return answers;
}

}  // namespace

void EnsureTopic(Connection& connection, const std::string& topic, int32_t partitions) {
  CreateTopic(connection, topic, partitions);
  const int64_t deadline = MonotonicNanos() + kPatienceNanos;
  while (!Answers(connection, topic, partitions)) {
    if (MonotonicNanos() > deadline) {
      Fail("The topic %s did not get %d partitions with leaders within 60 s.", topic.c_str(),
           partitions);
    }
    const timespec pause{0, 20'000'000};
    nanosleep(&pause, nullptr);
  }
}

int64_t FindOffset(Connection& connection, const std::string& topic, int32_t partition,
                   int64_t timestamp) {
  int64_t offset = 0;
  const int16_t error = AskOffset(connection, topic, partition, timestamp, offset);
  if (error != 0) {
    Fail("ListOffsets of %s-%d failed with error %d.", topic.c_str(), partition, error);
  }
  return offset;
}

}  // namespace millrace::bench
