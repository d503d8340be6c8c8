// The DataPlane of data_plane.h: puts the parts together and forwards to them.
#include "dataplane/data_plane.h"

#include <algorithm>
#include <atomic>
#include <random>
#include <utility>

#include "base/clock.h"
#include "base/endian.h"
#include "dataplane/context.h"
#include "dataplane/log_ticker.h"
#include "dataplane/partition_service.h"
#include "dataplane/request_handler.h"
#include "log/committer.h"

namespace millrace::dataplane {
namespace {

// Longer frames get their size as a piece of its own, shorter ones are moved by four bytes.
constexpr size_t kMoveMax = 64 * 1024;
// What the broker appends itself may use everything that the newest Produce may.
constexpr int16_t kNewestProduce = 13;

net::Response ResponseOf(std::vector<uint8_t> frame, bool close_after, int64_t throttle_ms) {
  net::Response response;
  response.close_after = close_after;
  response.throttle_ms = throttle_ms;
  if (frame.empty()) return response;
  std::array<uint8_t, 4> size;
  StoreBe32(size.data(), static_cast<uint32_t>(frame.size()));
  if (frame.size() > kMoveMax) {
    response.pieces.push_back({{size.begin(), size.end()}, {}});
  } else {
    frame.insert(frame.begin(), size.begin(), size.end());
  }
  response.pieces.push_back({std::move(frame), {}});
  return response;
}

uint64_t DrawSeed() {
  std::random_device device;
  return (uint64_t{device()} << 32) | device();
}

class DataPlaneParts final : public DataPlane, public log::FlushListener {
 public:
  DataPlaneParts(const DataPlaneOptions& options, io::FileSystem& file_system,
                 DataPlaneEvents& events)
      : context_(options, file_system, events), partitions_(context_) {}
  ~DataPlaneParts() override { Stop(); }

  Status StartThreads();

  Result<uint16_t> Listen(const std::string& host, uint16_t port, uint32_t listener) override {
    return pool_->Listen(host, port, listener);
  }
  void AddLogDir(const std::string& path) override { context_.log_dirs.Add(path); }
  Status OpenPartition(const PartitionSpec& spec) override { return partitions_.Open(spec); }
  Status RemovePartition(const std::string& topic, int32_t partition) override {
    return partitions_.Remove(topic, partition);
  }
  Status UpdateConfig(const std::string& topic, const log::LogConfig& config) override {
    return partitions_.UpdateConfig(topic, config);
  }
  std::optional<PartitionState> StateOf(const std::string& topic, int32_t partition) override;
  std::shared_ptr<log::Log> LogOf(const std::string& topic, int32_t partition) override;
  Result<AppendedBatch> Append(const std::string& topic, int32_t partition,
                               std::span<uint8_t> batch) override;
  void NotifyChanged(const std::string& topic, int32_t partition) override;

  std::vector<ControlRequest> TakeControlRequests(size_t max_requests) override;
  void Respond(uint64_t connection, uint64_t place, std::vector<uint8_t> frame, bool close_after,
               int64_t throttle_ms) override;
  void CloseConnection(uint64_t connection, const char* reason) override;
  net::NetCounters counters() const override { return pool_->counters(); }
  void ChangeLimits(const net::ConnectionMaxima& maxima) override { pool_->ChangeLimits(maxima); }
  void SetQuotas(const std::vector<ByteRateQuota>& byte_rates,
                 const net::ConnectionRates& connection_rates) override {
    context_.quotas.Set(byte_rates);
    pool_->ChangeRates(connection_rates);
  }

  bool Drain(int64_t timeout_ms) override;
  Status CloseLogs() override;
  void Stop() override;

  void OnFlushed(const std::shared_ptr<log::Log>& log, bool ok) override;

 private:
  std::unique_ptr<net::FrameHandler> MakeHandler(net::Reactor& reactor);

  // Destroyed from the last to the first: the pool with its handlers goes before what they use.
  Context context_;
  PartitionService partitions_;
  std::unique_ptr<log::Committer> committer_;
  std::unique_ptr<net::ReactorPool> pool_;
  std::unique_ptr<LogTicker> ticker_;
  std::atomic<bool> stopped_{false};
};

Status DataPlaneParts::StartThreads() {
  committer_ = log::MakeSegmentCommitter(*this);
  context_.committer = committer_.get();
  const auto reactors = static_cast<size_t>(std::max(1, context_.options.net.reactors));
  context_.mailboxes.resize(reactors);
  context_.request_handlers.resize(reactors);
  context_.fetch_handlers.resize(reactors);
  auto pool = net::ReactorPool::Start(
      context_.options.net, [this](net::Reactor& reactor) { return MakeHandler(reactor); },
      [this](int level, std::string message) { context_.events.OnLogLine(level, message); });
  if (!pool.ok()) return pool.error();
  pool_ = pool.Take();
  context_.pool = pool_.get();
  ticker_ = std::make_unique<LogTicker>(context_);
  return Status::Ok();
}

std::unique_ptr<net::FrameHandler> DataPlaneParts::MakeHandler(net::Reactor& reactor) {
  const auto index = static_cast<size_t>(reactor.index());
  auto handler = std::make_unique<RequestHandler>(context_, reactor, DrawSeed());
  context_.request_handlers[index] = handler.get();
  context_.fetch_handlers[index] = &handler->fetches();
  context_.mailboxes[index] =
      std::make_unique<Mailbox>(reactor, [raw = handler.get()](Mail& mail) { raw->OnMail(mail); });
  return handler;
}

std::optional<PartitionState> DataPlaneParts::StateOf(const std::string& topic, int32_t partition) {
  const std::shared_ptr<Partition> found = context_.partitions.Find(topic, partition);
  if (found == nullptr) return std::nullopt;
  PartitionState state;
  state.offsets = found->log().offsets();
  state.leader_epoch = found->leader_epoch();
  state.size_bytes = found->log().SizeBytes();
  state.segment_count = found->log().SegmentCount();
  state.offline = found->offline();
  return state;
}

std::shared_ptr<log::Log> DataPlaneParts::LogOf(const std::string& topic, int32_t partition) {
  const std::shared_ptr<Partition> found = context_.partitions.Find(topic, partition);
  return found == nullptr ? nullptr : found->shared_log();
}

Result<AppendedBatch> DataPlaneParts::Append(const std::string& topic, int32_t partition,
                                             std::span<uint8_t> batch) {
  const std::shared_ptr<Partition> found = context_.partitions.Find(topic, partition);
  if (found == nullptr) return Error{ErrorCode::kNotFound, 0, "no such partition here"};
  log::AppendJob job;
  job.records = batch.data();
  job.size = batch.size();
  found->log().AppendAsLeader({&job, 1},
                              {found->leader_epoch(), SystemClock().WallMs(), kNewestProduce});
  if (job.error != KafkaError::kNone) {
    if (job.error == KafkaError::kKafkaStorageError) context_.log_dirs.ReportFailed();
    const bool storage = job.error == KafkaError::kKafkaStorageError;
    return Error{storage ? ErrorCode::kIo : ErrorCode::kInvalidArgument, 0,
                 "the batch was not appended, Kafka's error " +
                     std::to_string(static_cast<int>(job.error)) +
                     (job.error_message == nullptr ? "" : std::string(": ") + job.error_message)};
  }
  found->MarkActive();
  context_.NotifyChanged(*found, kAppended);
  AppendedBatch appended{job.base_offset, job.last_offset, true};
  const log::LogOffsets offsets = found->log().offsets();
  const FlushPolicy& policy = found->flush_policy();
  appended.durable = !(policy.acks_all() || policy.DueByCount(offsets)) ||
                     offsets.flushed_offset > job.last_offset;
  if (!appended.durable) committer_->Request(found->shared_log());
  return appended;
}

void DataPlaneParts::NotifyChanged(const std::string& topic, int32_t partition) {
  const std::shared_ptr<Partition> found = context_.partitions.Find(topic, partition);
  if (found == nullptr) return;
  found->MarkActive();
  context_.NotifyChanged(*found, kAppended);
}

std::vector<ControlRequest> DataPlaneParts::TakeControlRequests(size_t max_requests) {
  ControlQueue::Taken taken = context_.control.Take(max_requests);
  if (taken.more) {
    context_.mailboxes.front()->PostTask([this] { context_.events.OnControlRequests(); });
  }
  return std::move(taken.requests);
}

void DataPlaneParts::Respond(uint64_t connection, uint64_t place, std::vector<uint8_t> frame,
                             bool close_after, int64_t throttle_ms) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  context_.Deliver({connection, place, ResponseOf(std::move(frame), close_after, throttle_ms)});
}

void DataPlaneParts::CloseConnection(uint64_t connection, const char* reason) {
  if (stopped_.load(std::memory_order_relaxed)) return;
  net::Reactor& reactor = pool_->ReactorOf(connection);
  context_.events.OnLogLine(0, std::string("the control plane closes a connection: ") + reason);
  reactor.Post([&reactor, connection] {
    net::Connection* found = reactor.FindConnection(connection);
    if (found != nullptr) found->Close("the control plane closed it");
  });
}

bool DataPlaneParts::Drain(int64_t timeout_ms) {
  pool_->StopListening();
  context_.draining.store(true, std::memory_order_relaxed);
  for (size_t i = 0; i < context_.mailboxes.size(); ++i) {
    context_.mailboxes[i]->PostTask([this, i] { context_.fetch_handlers[i]->AnswerAll(); });
  }
  return pool_->Drain(timeout_ms);
}

Status DataPlaneParts::CloseLogs() {
  ticker_->Stop();
  committer_->Stop();
  return partitions_.CloseAll();
}

void DataPlaneParts::Stop() {
  if (stopped_.exchange(true)) return;
  if (ticker_ != nullptr) ticker_->Stop();
  if (committer_ != nullptr) committer_->Stop();
  if (pool_ != nullptr) pool_->Stop();
}

void DataPlaneParts::OnFlushed(const std::shared_ptr<log::Log>& log, bool ok) {
  const std::shared_ptr<Partition> partition = context_.partitions.FindByLog(log.get());
  if (partition != nullptr) {
    context_.NotifyChanged(*partition, ok ? kFlushed : kFailed);
    if (partition->internal()) {
      context_.events.OnFlushed(partition->topic(), partition->index(),
                                log->offsets().flushed_offset, ok);
    }
  }
  if (!ok) context_.log_dirs.ReportFailed();
}

}  // namespace

Result<std::unique_ptr<DataPlane>> DataPlane::Start(const DataPlaneOptions& options,
                                                    io::FileSystem& file_system,
                                                    DataPlaneEvents& events) {
  auto parts = std::make_unique<DataPlaneParts>(options, file_system, events);
  if (Status status = parts->StartThreads(); !status.ok()) return status.error();
  return std::unique_ptr<DataPlane>(std::move(parts));
}

}  // namespace millrace::dataplane
