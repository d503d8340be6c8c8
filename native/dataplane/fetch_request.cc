#include "dataplane/fetch_request.h"

#include <algorithm>

#include "dataplane/generated_fetch_request.h"

namespace millrace::dataplane {
namespace {

// A frame of 100 MB could name millions; each costs some hundred bytes here.
constexpr size_t kPartitionsMax = 200'000;
// The size of a response is an int32; what stands beside the records needs some of it.
constexpr int64_t kResponseBytesMax = int64_t{1} << 30;
constexpr int32_t kFullEpoch = 0;
constexpr int32_t kFinalEpoch = -1;

class Visitor {
 public:
  explicit Visitor(FetchRequest& request) : request_(request) {}

  void OnTopic(const wire::FetchTopic& topic, int32_t) {
    topic_ = topic.topic;
    topic_id_ = topic.topic_id;
  }
  void OnPartition(const wire::FetchPartition& partition) {
    if (!Count()) return;
    request_.partitions.push_back({topic_, topic_id_, partition.partition,
                                   partition.current_leader_epoch, partition.fetch_offset,
                                   partition.last_fetched_epoch, partition.partition_max_bytes});
  }
  void OnForgottenTopic(const wire::FetchForgottenTopic& topic, int32_t) {
    topic_ = topic.topic;
    topic_id_ = topic.topic_id;
  }
  void OnForgottenPartition(int32_t partition) {
    if (Count()) request_.forgotten.push_back({topic_, topic_id_, partition});
  }
  bool too_many() const { return count_ > kPartitionsMax; }

 private:
  bool Count() { return ++count_ <= kPartitionsMax; }

  FetchRequest& request_;
  std::string_view topic_;
  Uuid topic_id_;
  size_t count_ = 0;
};

FetchMode ModeOf(int32_t session_epoch) {
  if (session_epoch == kFullEpoch) return FetchMode::kFull;
  return session_epoch == kFinalEpoch ? FetchMode::kSessionless : FetchMode::kIncremental;
}

}  // namespace

bool DecodeFetch(const RequestHeader& header, std::span<const uint8_t> frame,
                 int64_t fetch_bytes_max, FetchRequest& request) {
  request.partitions.clear();
  request.forgotten.clear();
  wire::FetchRequestHead head;
  Visitor visitor(request);
  ByteReader reader(frame.data() + header.size, frame.size() - header.size);
  if (!wire::DecodeFetchRequest(reader, header.api_version, head, visitor)) return false;
  if (visitor.too_many()) return false;

  const auto not_negative = [](int64_t value) { return std::max(value, int64_t{0}); };
  FetchParameters& parameters = request.parameters;
  parameters.version = header.api_version;
  parameters.correlation_id = header.correlation_id;
  parameters.mode = ModeOf(head.session_epoch);
  parameters.read_committed = head.isolation_level == 1;
  parameters.replica_id = std::max(head.replica_id, head.replica_state.replica_id);
  parameters.max_wait_ms = not_negative(head.max_wait_ms);
  parameters.max_bytes = static_cast<size_t>(
      not_negative(std::min({int64_t{head.max_bytes}, fetch_bytes_max, kResponseBytesMax})));
  parameters.min_bytes =
      std::min(static_cast<size_t>(not_negative(head.min_bytes)), parameters.max_bytes);
  request.session_id = head.session_id;
  request.session_epoch = head.session_epoch;
  return true;
}

}  // namespace millrace::dataplane
