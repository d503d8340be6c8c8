// What the floor answers: just enough of each API for the load generator.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "floor/connection.h"
#include "floor/log.h"
#include "wire/decoder.h"
#include "wire/encoder.h"

namespace millrace::bench {

struct BrokerSettings {
  std::string folder;
  uint16_t port;
  int64_t segment_bytes;
};

class Broker {
 public:
  explicit Broker(BrokerSettings settings) : settings_(std::move(settings)) {}

  // Answers one request frame, or parks it. `frame` is changed in place. False when it is nothing
  // the floor understands: the connection is then to be closed.
  bool Handle(Connection& connection, std::string_view frame);

  // Answers the parked fetches whose partition has grown since, and those whose time is up.
  // Connections that got an answer are appended to `answered`.
  void Wake(std::vector<Connection*>& answered);

  // Brings what was appended to partitions with flush.messages=1 to the disk. Answers wait for it.
  void Sync();

  // Forgets the parked fetches of a connection that is gone.
  void Forget(const Connection& connection);

  // Monotonic time of the earliest timeout of a parked fetch, 0 when none is parked.
  int64_t next_timeout() const;

 private:
  using Partitions = std::vector<std::unique_ptr<Log>>;
  struct Fetch {
    Connection* connection;
    int32_t correlation_id;
    std::string topic;
    int32_t partition;
    const Log* log;
    int64_t offset;
    int64_t max_bytes;
    int64_t timeout;
  };

  Log* Find(std::string_view topic, int32_t partition) const;
  void AnswerApiVersions(Encoder& response) const;
  void AnswerMetadata(Decoder& request, Encoder& response) const;
  void AnswerCreateTopics(Decoder& request, Encoder& response);
  void AnswerListOffsets(Decoder& request, Encoder& response) const;
  void AnswerProduce(Decoder& request, Encoder& response);
  int16_t Append(Log* log, std::string_view records, int64_t& base_offset);
  void HandleFetch(Connection& connection, int32_t correlation_id, Decoder& request);
  static void AnswerFetch(const Fetch& fetch);

  BrokerSettings settings_;
  std::map<std::string, Partitions, std::less<>> topics_;
  std::vector<Fetch> parked_;
  std::vector<Log*> unsynced_;
};

}  // namespace millrace::bench
