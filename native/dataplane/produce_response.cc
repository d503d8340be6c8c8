#include "dataplane/produce_response.h"

#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "dataplane/generated_produce_response.h"

namespace millrace::dataplane {
namespace {

// About what the fields take, so that the buffer is allocated once.
constexpr size_t kHeadBytes = 64;
constexpr size_t kPartitionBytes = 96;

bool SameTopic(const ProducePartition& a, const ProducePartition& b) {
  return a.topic == b.topic && a.topic_id == b.topic_id;
}

wire::PartitionProduceResponse ResponseOf(const ProducePartition& partition) {
  wire::PartitionProduceResponse response;
  response.index = partition.index;
  response.error_code = static_cast<int16_t>(partition.error);
  response.base_offset = partition.base_offset;
  response.log_append_time_ms = partition.log_append_time_ms;
  response.log_start_offset = partition.log_start_offset;
  if (partition.error_message != nullptr) response.error_message = partition.error_message;
  return response;
}

}  // namespace

net::Response BuildProduceResponse(const ProduceRequest& request,
                                   std::span<const ProducePartition> partitions) {
  int64_t topics = 0;
  for (size_t i = 0; i < partitions.size(); ++i) {
    if (i == 0 || !SameTopic(partitions[i - 1], partitions[i])) ++topics;
  }
  std::vector<uint8_t> bytes;
  bytes.reserve(kHeadBytes + partitions.size() * kPartitionBytes);
  ByteWriter writer(bytes);
  const int16_t version = request.version;
  writer.WriteI32(0);  // The size, known at the end.
  wire::WriteProduceResponseHeader(writer, version, request.correlation_id);
  wire::BeginProduceResponse(writer, version, {}, topics);
  for (size_t i = 0; i < partitions.size();) {
    size_t end = i + 1;
    while (end < partitions.size() && SameTopic(partitions[i], partitions[end])) ++end;
    const wire::TopicProduceResponse topic{partitions[i].topic, partitions[i].topic_id};
    wire::BeginTopicProduceResponse(writer, version, topic, static_cast<int64_t>(end - i));
    for (; i < end; ++i)
      wire::WritePartitionProduceResponse(writer, version, ResponseOf(partitions[i]));
    wire::EndTopicProduceResponse(writer, version, topic);
  }
  wire::ProduceResponseHead head;
  head.throttle_time_ms = static_cast<int32_t>(request.throttle_ms);
  wire::EndProduceResponse(writer, version, head);
  writer.PatchI32(0, static_cast<int32_t>(bytes.size() - 4));
  net::Response response;
  response.throttle_ms = request.throttle_ms;
  response.pieces.push_back({std::move(bytes), {}});
  return response;
}

}  // namespace millrace::dataplane
