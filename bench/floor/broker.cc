#include "floor/broker.h"

#include <algorithm>
#include <utility>

#include "base/crc32c.h"
#include "wire/clock.h"
#include "wire/record_batch.h"

namespace millrace::bench {
namespace {

constexpr int16_t kCorruptMessage = 2;
constexpr int16_t kUnknownTopicOrPartition = 3;
constexpr int16_t kTopicAlreadyExists = 36;
constexpr int32_t kNodeId = 1;
constexpr int32_t kMostPartitions = 100'000;
constexpr int64_t kLeastSegmentBytes = 512 << 10;

// One whole batch whose checksum is right.
bool IsValidBatch(std::string_view records) {
  if (records.size() < kBatchHeaderSize || records[kBatchMagicAt] != 2) {
    return false;
  }
  const int64_t length = LoadInt32(records.data() + kBatchLengthAt);
  return length + static_cast<int64_t>(kBatchLogOverhead) == static_cast<int64_t>(records.size()) &&
         static_cast<uint32_t>(LoadInt32(records.data() + kBatchCrcAt)) ==
             Crc32c(records.data() + kBatchAttributesAt, records.size() - kBatchAttributesAt);
}

}  // namespace

bool Broker::Handle(Connection& connection, std::string_view frame) {
  Decoder request(frame);
  const Api api{static_cast<ApiKey>(request.Int16()), request.Int16()};
  const int32_t correlation_id = request.Int32();
  request.String();
  const auto known = [&](const Api& at) { return at.key == api.key && at.version == api.version; };
  if (std::ranges::none_of(kApis, known)) {
    return false;
  }
  if (api.key == ApiKey::kFetch) {
    HandleFetch(connection, correlation_id, request);
    return request.ok();
  }
  Encoder response;
  response.BeginResponse(correlation_id);
  switch (api.key) {
    case ApiKey::kProduce:
      AnswerProduce(request, response);
      break;
    case ApiKey::kListOffsets:
      AnswerListOffsets(request, response);
      break;
    case ApiKey::kMetadata:
      AnswerMetadata(request, response);
      break;
    case ApiKey::kCreateTopics:
      AnswerCreateTopics(request, response);
      break;
    default:
      AnswerApiVersions(response);
  }
  response.EndFrame();
  connection.Answer(response.Take());
  return request.ok();
}

Log* Broker::Find(std::string_view topic, int32_t partition) const {
  const auto found = topics_.find(topic);
  const bool known = found != topics_.end() && partition >= 0 &&
                     static_cast<size_t>(partition) < found->second.size();
  return known ? found->second[static_cast<size_t>(partition)].get() : nullptr;
}

void Broker::AnswerApiVersions(Encoder& response) const {
  response.Int16(0);
  response.Int32(static_cast<int32_t>(std::size(kApis)));
  for (const Api& api : kApis) {
    response.Int16(static_cast<int16_t>(api.key));
    response.Int16(api.version);
    response.Int16(api.version);
  }
}

void Broker::AnswerMetadata(Decoder& request, Encoder& response) const {
  response.Int32(0);
  response.Int32(1);
  response.Int32(kNodeId);
  response.String("127.0.0.1");
  response.Int32(settings_.port);
  response.Int16(-1);
  response.Int16(-1);
  response.Int32(kNodeId);
  const int32_t count = request.Count();
  response.Int32(count);
  for (int32_t at = 0; at < count; at++) {
    const std::string_view topic = request.String();
    const auto found = topics_.find(topic);
    const bool known = found != topics_.end();
    response.Int16(known ? int16_t{0} : kUnknownTopicOrPartition);
    response.String(topic);
    response.Int8(0);
    const size_t partitions = known ? found->second.size() : 0;
    response.Int32(static_cast<int32_t>(partitions));
    for (size_t partition = 0; partition < partitions; partition++) {
      response.Int16(0);
      response.Int32(static_cast<int32_t>(partition));
      response.Int32(kNodeId);
      response.Int32(1);
      response.Int32(kNodeId);
      response.Int32(1);
      response.Int32(kNodeId);
    }
  }
}

void Broker::AnswerCreateTopics(Decoder& request, Encoder& response) {
  response.Int32(0);
  const int32_t count = request.Count();
  response.Int32(count);
  for (int32_t at = 0; at < count && request.ok(); at++) {
    const std::string topic(request.String());
    const int32_t partitions = std::clamp(request.Int32(), 1, kMostPartitions);
    request.Int16();
    request.Count();
    bool synced = false;
    for (int32_t left = request.Count(); left > 0; left--) {
      const bool flush = request.String() == "flush.messages";
      synced |= request.String() == "1" && flush;
    }
    // All partitions together take about what one takes.
    const int64_t segment_bytes = std::max(std::min(kLeastSegmentBytes, settings_.segment_bytes),
                                           settings_.segment_bytes / partitions);
    const bool created = topics_.try_emplace(topic).second;
    for (int32_t partition = 0; created && partition < partitions; partition++) {
      topics_[topic].push_back(std::make_unique<Log>(
          settings_.folder + "/" + topic + "-" + std::to_string(partition), segment_bytes, synced));
    }
    response.String(topic);
    response.Int16(created ? int16_t{0} : kTopicAlreadyExists);
    response.Int16(-1);
  }
}

void Broker::AnswerListOffsets(Decoder& request, Encoder& response) const {
  request.Int32();
  const int32_t topics = request.Count();
  response.Int32(topics);
  for (int32_t at = 0; at < topics; at++) {
    const std::string_view topic = request.String();
    response.String(topic);
    const int32_t count = request.Count();
    response.Int32(count);
    for (int32_t inner = 0; inner < count; inner++) {
      const int32_t partition = request.Int32();
      const bool latest = request.Int64() == -1;
      const Log* log = Find(topic, partition);
      response.Int32(partition);
      response.Int16(log == nullptr ? kUnknownTopicOrPartition : int16_t{0});
      response.Int64(-1);
      response.Int64(log != nullptr && latest ? log->end_offset() : 0);
    }
  }
}

void Broker::AnswerProduce(Decoder& request, Encoder& response) {
  request.String();
  request.Int16();
  request.Int32();
  const int32_t topics = request.Count();
  response.Int32(topics);
  for (int32_t at = 0; at < topics; at++) {
    const std::string_view topic = request.String();
    response.String(topic);
    const int32_t count = request.Count();
    response.Int32(count);
    for (int32_t inner = 0; inner < count; inner++) {
      const int32_t partition = request.Int32();
      const std::string_view records = request.Bytes(request.Int32());
      int64_t base_offset = -1;
      const int16_t error = Append(Find(topic, partition), records, base_offset);
      response.Int32(partition);
      response.Int16(error);
      response.Int64(base_offset);
      response.Int64(-1);
      response.Int64(0);
    }
  }
  response.Int32(0);
}

int16_t Broker::Append(Log* log, std::string_view records, int64_t& base_offset) {
  if (log == nullptr) {
    return kUnknownTopicOrPartition;
  }
  if (!IsValidBatch(records)) {
    return kCorruptMessage;
  }
  // The frame lies in the connection's own buffer, so the two header fields are set in place.
  base_offset =
      log->Append(const_cast<char*>(records.data()), static_cast<int64_t>(records.size()));
  if (log->synced() && std::ranges::find(unsynced_, log) == unsynced_.end()) {
    unsynced_.push_back(log);
  }
  return 0;
}

void Broker::Sync() {
  for (Log* log : unsynced_) {
    log->StartSync();
  }
  for (Log* log : unsynced_) {
    log->Sync();
  }
  unsynced_.clear();
}

void Broker::HandleFetch(Connection& connection, int32_t correlation_id, Decoder& request) {
  Fetch fetch{.connection = &connection,
              .correlation_id = correlation_id,
              .topic = {},
              .partition = 0,
              .log = nullptr,
              .offset = 0,
              .max_bytes = 0,
              .timeout = 0};
  request.Int32();
  fetch.timeout = MonotonicNanos() + int64_t{request.Int32()} * 1'000'000;
  request.Int32();
  request.Int32();
  request.Int8();
  request.Int32();
  request.Int32();
  request.Count();
  fetch.topic = request.String();
  request.Count();
  fetch.partition = request.Int32();
  request.Int32();
  fetch.offset = request.Int64();
  request.Int64();
  fetch.max_bytes = request.Int32();
  fetch.log = Find(fetch.topic, fetch.partition);
  if (fetch.log == nullptr || fetch.offset < fetch.log->end_offset()) {
    AnswerFetch(fetch);
  } else {
    parked_.push_back(std::move(fetch));
  }
}

void Broker::AnswerFetch(const Fetch& fetch) {
  const FileRange range =
      fetch.log == nullptr ? FileRange{} : fetch.log->Find(fetch.offset, fetch.max_bytes);
  const int64_t end = fetch.log == nullptr ? -1 : fetch.log->end_offset();
  Encoder response;
  response.BeginResponse(fetch.correlation_id);
  response.Int32(0);
  response.Int16(0);
  response.Int32(0);
  response.Int32(1);
  response.String(fetch.topic);
  response.Int32(1);
  response.Int32(fetch.partition);
  response.Int16(fetch.log == nullptr ? kUnknownTopicOrPartition : int16_t{0});
  response.Int64(end);
  response.Int64(end);
  response.Int64(0);
  response.Int32(-1);
  response.Int32(-1);
  response.Int32(static_cast<int32_t>(range.size));
  response.EndFrame(static_cast<size_t>(range.size));
  fetch.connection->Answer(response.Take(), range);
}

void Broker::Wake(std::vector<Connection*>& answered) {
  if (parked_.empty()) {
    return;
  }
  const int64_t now = MonotonicNanos();
  std::erase_if(parked_, [&](const Fetch& fetch) {
    const bool due = fetch.offset < fetch.log->end_offset() || now >= fetch.timeout;
    if (due) {
      AnswerFetch(fetch);
      answered.push_back(fetch.connection);
    }
    return due;
  });
}

void Broker::Forget(const Connection& connection) {
  std::erase_if(parked_, [&](const Fetch& fetch) { return fetch.connection == &connection; });
}

int64_t Broker::next_timeout() const {
  const auto earliest = std::ranges::min_element(parked_, {}, &Fetch::timeout);
  return earliest == parked_.end() ? 0 : earliest->timeout;
}

}  // namespace millrace::bench
