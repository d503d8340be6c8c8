#include "dataplane/produce_request.h"

#include "dataplane/generated_produce_request.h"

namespace millrace::dataplane {
namespace {

// A partition takes at least six bytes of the frame and some hundred here.
constexpr size_t kPartitionsMax = 200'000;
// The client id of Kafka's admin client (AdminUtils of Kafka).
constexpr std::string_view kAdminClientId = "__admin_client";

class Visitor {
 public:
  Visitor(std::span<uint8_t> frame, std::vector<ProducePartition>& partitions)
      : frame_(frame), partitions_(partitions), limit_(partitions.size() + kPartitionsMax) {}

  void OnTopic(const wire::TopicProduceData& topic, int32_t) {
    topic_ = topic.name;
    topic_id_ = topic.topic_id;
  }
  void OnPartition(const wire::PartitionProduceData& data) {
    too_many_ |= partitions_.size() >= limit_;
    if (too_many_) return;
    ProducePartition& partition = partitions_.emplace_back();
    partition.topic = topic_;
    partition.topic_id = topic_id_;
    partition.index = data.index;
    if (data.records.is_null()) return;
    // The view points into the frame, which may be changed in place.
    partition.records = frame_.data() + (data.records.data - frame_.data());
    partition.size = static_cast<size_t>(data.records.size);
  }
  bool too_many() const { return too_many_; }

 private:
  std::span<uint8_t> frame_;
  std::vector<ProducePartition>& partitions_;
  const size_t limit_;
  std::string_view topic_;
  Uuid topic_id_;
  bool too_many_ = false;
};

}  // namespace

bool DecodeProduce(const RequestHeader& header, std::span<uint8_t> frame, const ReplyTo& reply_to,
                   GatheredProduces& gathered) {
  const size_t first = gathered.partitions.size();
  wire::ProduceRequestHead head;
  Visitor visitor(frame, gathered.partitions);
  ByteReader reader(frame.data() + header.size, frame.size() - header.size);
  if (!wire::DecodeProduceRequest(reader, header.api_version, head, visitor) ||
      visitor.too_many()) {
    gathered.partitions.resize(first);
    return false;
  }
  ProduceRequest& request = gathered.requests.emplace_back();
  request.version = header.api_version;
  request.correlation_id = header.correlation_id;
  request.acks = head.acks;
  request.timeout_ms = head.timeout_ms;
  request.transactional = head.transactional_id.data() != nullptr;
  request.admin = header.client_id == kAdminClientId;
  request.reply_to = reply_to;
  request.first = first;
  request.count = gathered.partitions.size() - first;
  return true;
}

}  // namespace millrace::dataplane
