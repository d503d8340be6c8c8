#include "dataplane/partition_service.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

namespace millrace::dataplane {
namespace {

// The table is indexed by partition; no cluster has more partitions of a topic than this.
constexpr int32_t kPartitionsMax = 1'000'000;
// Closing syncs; more threads than this only make the disk seek.
constexpr size_t kCloseThreadsMax = 4;

std::string NameOf(const std::string& topic, int32_t index) {
  return topic + "-" + std::to_string(index);
}

Uuid UuidOf(const TopicId& id) { return Uuid::FromBytes(id.data()); }

}  // namespace

class PartitionService::Reservation {
 public:
  Reservation(PartitionService& service, const PartitionSpec& spec)
      : service_(service), key_(spec.topic, spec.partition) {
    const std::lock_guard lock(service_.mutex_);
    taken_ = service_.opening_.insert(key_).second;
  }
  ~Reservation() {
    if (!taken_) return;
    const std::lock_guard lock(service_.mutex_);
    service_.opening_.erase(key_);
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;
  bool taken() const { return taken_; }

 private:
  PartitionService& service_;
  const std::pair<std::string, int32_t> key_;
  bool taken_ = false;
};

Status PartitionService::Open(const PartitionSpec& spec) {
  const std::string name = NameOf(spec.topic, spec.partition);
  if (spec.topic.empty() || spec.partition < 0 || spec.partition >= kPartitionsMax) {
    return Error{ErrorCode::kInvalidArgument, 0,
                 "cannot open partition '" + name + "': a topic name and a partition below " +
                     std::to_string(kPartitionsMax) + " are needed."};
  }
  const Reservation reservation(*this, spec);
  if (!reservation.taken() || context_.partitions.Find(spec.topic, spec.partition) != nullptr) {
    return Error{ErrorCode::kAlreadyExists, 0,
                 "cannot open partition " + name + ": it is in service already."};
  }
  return OpenReserved(spec);
}

Status PartitionService::OpenReserved(const PartitionSpec& spec) {
  const std::string name = NameOf(spec.topic, spec.partition);
  const std::shared_ptr<log::LogDir> dir = context_.log_dirs.Find(spec.log_dir);
  if (dir == nullptr) {
    return Error{ErrorCode::kNotFound, 0,
                 "cannot open partition " + name + ": " + spec.log_dir +
                     " is no log directory of this broker; add it first."};
  }
  if (dir->offline()) {
    return Error{ErrorCode::kClosed, 0,
                 "cannot open partition " + name + ": the log directory " + spec.log_dir +
                     " failed; check the disk, then restart the broker."};
  }
  log::LogOpenOptions options;
  options.directory = spec.log_dir + "/" + name;
  options.config = spec.config;
  options.clean_shutdown = spec.clean_shutdown;
  options.recovery_point = spec.recovery_point;
  options.log_start_offset = spec.log_start_offset;
  options.now_ms = clock_.WallMs();
  Result<std::shared_ptr<log::Log>> opened = log::Log::Open(dir, std::move(options));
  if (!opened.ok()) return opened.error();
  const std::shared_ptr<log::Log> log = opened.Take();
  log->SetSingleReplica(true);
  if (Status status = log->BecomeLeader(spec.leader_epoch); !status.ok()) {
    log->Abandon();
    return status;
  }
  auto partition =
      std::make_shared<Partition>(PartitionName{spec.topic, UuidOf(spec.topic_id), spec.partition},
                                  dir, log, context_.mailboxes.size());
  partition->set_leader_epoch(spec.leader_epoch);
  partition->flush_policy().Update(spec.config);
  context_.partitions.Insert(std::move(partition));
  return Status::Ok();
}

Status PartitionService::Remove(const std::string& topic, int32_t index) {
  const std::shared_ptr<Partition> partition = context_.partitions.Remove(topic, index);
  if (partition == nullptr) {
    return Error{ErrorCode::kNotFound, 0,
                 "cannot remove partition " + NameOf(topic, index) + ": it is not in service."};
  }
  partition->log().Abandon();
  context_.NotifyChanged(*partition, kFailed);
  return Status::Ok();
}

Status PartitionService::UpdateConfig(const std::string& topic, const log::LogConfig& config) {
  const auto partitions = context_.partitions.OfTopic(topic);
  if (partitions.empty()) {
    return Error{ErrorCode::kNotFound, 0,
                 "cannot change the settings of " + topic + ": no partition of it is in service."};
  }
  for (const auto& partition : partitions) {
    partition->log().UpdateConfig(config);
    partition->flush_policy().Update(config);
    partition->MarkActive();  // What the settings change may be due at once.
  }
  return Status::Ok();
}

Status PartitionService::CloseAll() {
  const auto partitions = context_.partitions.Snapshot();
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::optional<Error> failure;
  const auto work = [&] {
    for (size_t i = next.fetch_add(1); i < partitions.size(); i = next.fetch_add(1)) {
      const Status closed = partitions[i]->log().Close();
      if (closed.ok()) continue;
      const std::lock_guard lock(mutex);
      if (!failure.has_value()) failure = closed.error();
    }
  };
  std::vector<std::thread> threads;
  const size_t thread_count = std::min(kCloseThreadsMax, partitions.size());
  for (size_t i = 1; i < thread_count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (failure.has_value()) return *failure;
  return Status::Ok();
}

}  // namespace millrace::dataplane
