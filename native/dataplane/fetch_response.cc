#include "dataplane/fetch_response.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/byte_writer.h"
#include "base/endian.h"
#include "dataplane/generated_fetch_response.h"

namespace millrace::dataplane {
namespace {

// CurrentLeader is filled from this version on (kafka.md 1.3).
constexpr int16_t kCurrentLeaderSince = 16;
// About what one partition's fields take.
constexpr size_t kPartitionBytes = 64;
constexpr size_t kHeadBytes = 64;
// A response waits in memory for a slow client: beyond this the rest is sent from the files, which
// holds no memory.
constexpr size_t kCopiedBytesMax = 1 << 20;

bool SameTopic(const FetchEntry& a, const FetchEntry& b) {
  return a.session.uses_topic_ids ? a.topic_id() == b.topic_id() : a.topic() == b.topic();
}

// Reads [position, position + out.size()) of a file that holds these bytes.
bool ReadFully(int descriptor, uint64_t position, std::span<uint8_t> out) {
  while (!out.empty()) {
    const ssize_t count = pread(descriptor, out.data(), out.size(), static_cast<off_t>(position));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    position += static_cast<uint64_t>(count);
    out = out.subspan(static_cast<size_t>(count));
  }
  return true;
}

class Builder {
 public:
  Builder(const FetchParameters& parameters, const FetchResponseOptions& options)
      : parameters_(parameters), options_(options) {}

  net::Response Build(int32_t session_id, KafkaError error, std::span<PartitionAnswer> answers,
                      int64_t throttle_ms = 0) {
    wire::FetchResponseHead head;
    head.throttle_time_ms = static_cast<int32_t>(throttle_ms);
    head.error_code = static_cast<int16_t>(error);
    head.session_id = session_id;
    const int16_t version = parameters_.version;
    size_t copies = 0;
    for (const PartitionAnswer& answer : answers) {
      if (IsSmall(answer)) copies += answer.slice.size;
    }
    bytes_.reserve(kHeadBytes + answers.size() * kPartitionBytes +
                   std::min(copies, kCopiedBytesMax));
    ByteWriter writer(bytes_);
    writer.WriteI32(0);  // The size, known at the end.
    wire::WriteFetchResponseHeader(writer, version, parameters_.correlation_id);
    wire::BeginFetchResponse(writer, version, head, CountTopics(answers));
    for (size_t i = 0; i < answers.size();) i = WriteTopic(answers, i);
    wire::EndFetchResponse(writer, version, head);
    return Finish();
  }

 private:
  static int64_t CountTopics(std::span<PartitionAnswer> answers) {
    int64_t count = 0;
    for (size_t i = 0; i < answers.size(); ++i) {
      if (i == 0 || !SameTopic(*answers[i - 1].entry, *answers[i].entry)) ++count;
    }
    return count;
  }

  // Writes the run of one topic's partitions that starts at `first`; returns where it ends.
  size_t WriteTopic(std::span<PartitionAnswer> answers, size_t first) {
    const FetchEntry& entry = *answers[first].entry;
    size_t end = first + 1;
    while (end < answers.size() && SameTopic(entry, *answers[end].entry)) ++end;
    const wire::FetchableTopicResponse topic{entry.topic(), entry.topic_id()};
    ByteWriter writer(bytes_);
    wire::BeginFetchableTopicResponse(writer, parameters_.version, topic,
                                      static_cast<int64_t>(end - first));
    for (size_t i = first; i < end; ++i) WritePartition(answers[i]);
    wire::EndFetchableTopicResponse(writer, parameters_.version, topic);
    return end;
  }

  void WritePartition(PartitionAnswer& answer) {
    const size_t start = bytes_.size();
    if (WriteFieldsAndRecords(answer)) return;
    bytes_.resize(start);
    Fail(answer);
    WriteFieldsAndRecords(answer);
  }

  // False if the records could not be copied; without records it cannot fail.
  bool WriteFieldsAndRecords(PartitionAnswer& answer) {
    const wire::FetchPartitionData data = DataOf(answer);
    const size_t size = answer.slice.size;
    ByteWriter writer(bytes_);
    wire::BeginFetchPartitionData(writer, parameters_.version, data, static_cast<int64_t>(size));
    if (IsSmall(answer) && copied_bytes_ + size <= kCopiedBytesMax) {
      copied_bytes_ += size;
      bytes_.resize(bytes_.size() + size);
      const std::span<uint8_t> room = std::span(bytes_).last(size);
      if (!ReadFully(answer.slice.descriptor, answer.slice.position, room)) return false;
    } else if (size > 0) {
      CutForRange(answer.slice);
    }
    wire::EndFetchPartitionData(writer, parameters_.version, data);
    return true;
  }

  bool IsSmall(const PartitionAnswer& answer) const {
    return answer.slice.size > 0 && answer.slice.size <= options_.small_read_bytes_max;
  }

  static void Fail(PartitionAnswer& answer) {
    FetchEntry* entry = answer.entry;
    answer = {};
    answer.entry = entry;
    answer.error = KafkaError::kKafkaStorageError;
  }

  wire::FetchPartitionData DataOf(const PartitionAnswer& answer) const {
    wire::FetchPartitionData data;
    data.partition_index = answer.entry->partition_index();
    data.error_code = static_cast<int16_t>(answer.error);
    data.high_watermark = answer.high_watermark;
    data.last_stable_offset = answer.last_stable_offset;
    data.log_start_offset = answer.log_start_offset;
    if (answer.diverging()) {
      data.diverging_epoch = {answer.diverging_epoch.leader_epoch,
                              answer.diverging_epoch.end_offset};
    }
    const bool not_leader = answer.error == KafkaError::kNotLeaderOrFollower ||
                            answer.error == KafkaError::kFencedLeaderEpoch;
    if (not_leader && parameters_.version >= kCurrentLeaderSince) {
      data.current_leader = {options_.node_id, answer.leader_epoch};
    }
    // As Kafka writes it: empty also for partitions that are not there, null for all that is
    // refused otherwise.
    const bool unknown = answer.error == KafkaError::kUnknownTopicOrPartition ||
                         answer.error == KafkaError::kUnknownTopicId;
    if (unknown || (answer.error == KafkaError::kNone && parameters_.read_committed)) {
      data.aborted_transactions.emplace();
    }
    return data;
  }

  // Ends the piece of memory that is being written and puts the file's range behind it.
  void CutForRange(log::LogSlice& slice) {
    size_ += bytes_.size() + slice.size;
    pieces_.push_back({std::exchange(bytes_, {}), {}});
    bytes_.reserve(kPartitionBytes);
    net::FileRange range;
    range.keep_alive = std::move(slice.segment);
    range.descriptor = slice.descriptor;
    range.position = slice.position;
    range.size = slice.size;
    pieces_.push_back({{}, std::move(range)});
  }

  net::Response Finish() {
    size_ += bytes_.size();
    if (!bytes_.empty()) pieces_.push_back({std::move(bytes_), {}});
    StoreBe32(pieces_.front().bytes.data(), static_cast<uint32_t>(size_ - 4));
    net::Response response;
    response.pieces = std::move(pieces_);
    return response;
  }

  const FetchParameters& parameters_;
  const FetchResponseOptions options_;
  std::vector<uint8_t> bytes_;  // The piece that is being written.
  std::vector<net::ResponsePiece> pieces_;
  size_t size_ = 0;  // Of the finished pieces.
  size_t copied_bytes_ = 0;
};

}  // namespace

net::Response BuildFetchError(const FetchParameters& parameters, KafkaError error) {
  return Builder(parameters, {}).Build(0, error, {});
}

net::Response BuildThrottledFetch(const FetchParameters& parameters, int32_t session_id,
                                  int64_t throttle_ms) {
  net::Response response =
      Builder(parameters, {}).Build(session_id, KafkaError::kNone, {}, throttle_ms);
  response.throttle_ms = throttle_ms;
  return response;
}

size_t RecordBytes(std::span<const PartitionAnswer> answers) {
  size_t size = 0;
  for (const PartitionAnswer& answer : answers) size += answer.slice.size;
  return size;
}

net::Response BuildFetchResponse(const FetchParameters& parameters, int32_t session_id,
                                 std::span<PartitionAnswer> answers,
                                 const FetchResponseOptions& options) {
  return Builder(parameters, options).Build(session_id, KafkaError::kNone, answers);
}

}  // namespace millrace::dataplane
