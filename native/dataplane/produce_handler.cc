#include "dataplane/produce_handler.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "dataplane/produce_response.h"
#include "dataplane/produce_validation.h"

namespace millrace::dataplane {
namespace {

// Kafka tells the log start with the errors of a batch that the log looked at, not with these.
bool TellsLogStart(KafkaError error) {
  switch (error) {
    case KafkaError::kUnknownTopicOrPartition:
    case KafkaError::kUnknownTopicId:
    case KafkaError::kNotLeaderOrFollower:
    case KafkaError::kMessageTooLarge:
    case KafkaError::kRecordListTooLarge:
    case KafkaError::kCorruptMessage:
    case KafkaError::kKafkaStorageError:
      return false;
    default:
      return true;
  }
}

}  // namespace

ProduceHandler::ProduceHandler(Context& context, net::Reactor& reactor)
    : context_(context), reactor_(reactor), purgatory_(reactor) {}

bool ProduceHandler::Gather(const RequestHeader& header, std::span<uint8_t> frame,
                            const ReplyTo& reply_to) {
  if (!DecodeProduce(header, frame, reply_to, gathered_)) return false;
  if (context_.quotas.active(ByteRateKind::kProduce)) {
    gathered_.requests.back().throttle_ms = context_.quotas.Record(
        ByteRateKind::kProduce, header.client_id, frame.size(), reactor_.monotonic_ms());
  }
  return true;
}

void ProduceHandler::Append() {
  if (!gathered()) return;
  for (const ProduceRequest& request : gathered_.requests) {
    ValidateProduce(request, std::span(gathered_.partitions).subspan(request.first, request.count),
                    context_.partitions);
  }
  CollectReferences();
  for (size_t first = 0; first < references_.size();) {
    size_t end = first + 1;
    while (end < references_.size() && references_[end].partition == references_[first].partition &&
           references_[end].version == references_[first].version) {
      ++end;
    }
    AppendRun(std::span(references_).subspan(first, end - first));
    first = end;
  }
  for (const ProduceRequest& request : gathered_.requests) Answer(request);
  gathered_.Clear();
}

void ProduceHandler::CollectReferences() {
  references_.clear();
  for (const ProduceRequest& request : gathered_.requests) {
    for (size_t i = request.first; i < request.first + request.count; ++i) {
      const ProducePartition& partition = gathered_.partitions[i];
      if (partition.error != KafkaError::kNone) continue;
      references_.push_back({partition.partition.get(), i, request.version});
    }
  }
  std::ranges::sort(references_, [](const Reference& a, const Reference& b) {
    return std::tie(a.partition, a.place) < std::tie(b.partition, b.place);
  });
}

void ProduceHandler::AppendRun(std::span<const Reference> run) {
  Partition& partition = *run.front().partition;
  jobs_.clear();
  for (const Reference& reference : run) {
    log::AppendJob& job = jobs_.emplace_back();
    job.records = gathered_.partitions[reference.place].records;
    job.size = gathered_.partitions[reference.place].size;
  }
  partition.log().AppendAsLeader(
      jobs_, {partition.leader_epoch(), reactor_.wall_ms(), run.front().version});
  const log::LogOffsets offsets = partition.log().offsets();
  const bool flush_due = partition.flush_policy().DueByCount(offsets);
  bool appended = false;
  for (size_t i = 0; i < run.size(); ++i) {
    const log::AppendJob& job = jobs_[i];
    ProducePartition& result = gathered_.partitions[run[i].place];
    result.error = job.error;
    result.error_message = job.error_message;
    if (TellsLogStart(job.error)) result.log_start_offset = offsets.log_start_offset;
    if (job.error == KafkaError::kKafkaStorageError) context_.log_dirs.ReportFailed();
    if (job.error != KafkaError::kNone) continue;
    result.base_offset = job.base_offset;
    result.last_offset = job.last_offset;
    result.log_append_time_ms = job.log_append_time_ms;
    result.awaits_disk = flush_due;
    appended |= !job.duplicate;
  }
  if (!appended) return;
  if (flush_due) context_.committer->Request(partition.shared_log());
  partition.MarkActive();
  WakeSlot& slot = partition.slot(static_cast<size_t>(reactor_.index()));
  if (!std::exchange(slot.appended_this_tick, true)) {
    appended_.push_back(partition.shared_from_this());
  }
}

void ProduceHandler::Answer(const ProduceRequest& request) {
  const auto partitions = std::span(gathered_.partitions).subspan(request.first, request.count);
  net::Connection& connection = *request.reply_to.connection;
  if (request.acks == 0) {
    net::Response nothing;
    nothing.throttle_ms = request.throttle_ms;
    // The only way to tell a client that awaits no answer (kafka.md 4.6).
    nothing.close_after = std::ranges::any_of(partitions, [](const ProducePartition& partition) {
      return partition.error != KafkaError::kNone;
    });
    connection.Respond(request.reply_to.place, std::move(nothing));
    return;
  }
  const size_t wait_count = RequestFlushes(request, partitions);
  if (wait_count > 0) {
    purgatory_.Park(request, partitions, wait_count);
    return;
  }
  connection.Respond(request.reply_to.place, BuildProduceResponse(request, partitions));
}

size_t ProduceHandler::RequestFlushes(const ProduceRequest& request,
                                      std::span<ProducePartition> partitions) {
  size_t wait_count = 0;
  for (ProducePartition& partition : partitions) {
    if (request.acks == -1 && partition.error == KafkaError::kNone &&
        partition.partition->flush_policy().acks_all()) {
      partition.awaits_disk = true;
    }
    if (!ProducePurgatory::MustWait(partition)) continue;
    ++wait_count;
    context_.committer->Request(partition.partition->shared_log());
  }
  return wait_count;
}

}  // namespace millrace::dataplane
