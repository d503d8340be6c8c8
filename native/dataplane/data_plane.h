// DataPlane: the facade that the binding drives. Puts together the reactors, the logs, the
// committer and the handlers of Produce and Fetch; hands every other request to the control plane
// and carries its answers back.
//
// Threads: all methods may be called from any thread but a reactor's. The ones marked "blocks" do
// disk work or wait, and are called from a worker thread by the binding. Events arrive on the data
// plane's own threads and must not block.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "log/log.h"
#include "net/reactor.h"

namespace millrace::dataplane {

using TopicId = std::array<uint8_t, 16>;

struct DataPlaneOptions {
  net::NetOptions net;
  int32_t node_id = 1;
  int64_t fetch_bytes_max = 57'671'680;    // fetch.max.bytes of the broker
  int32_t fetch_session_slots_max = 1000;  // max.incremental.fetch.session.cache.slots
  // Up to this much of a partition is copied into the response, more is sent by sendfile
  // (docs/decisions/0002-small-read-copy.md).
  size_t small_read_bytes_max = 32 * 1024;
  size_t control_bytes_max = 64u << 20;  // Unanswered control requests: reading pauses above this.
};

// A request for the control plane: the whole frame (header and body).
struct ControlRequest {
  uint64_t connection = 0;
  uint64_t place = 0;  // Where its response belongs; see Connection::ReserveResponse.
  uint32_t listener = 0;
  std::string peer;  // "127.0.0.1:40312"
  std::vector<uint8_t> frame;
};

// The byte rates of one entity of client quotas.
struct ByteRateQuota {
  enum class PartKind : uint8_t { kAbsent, kDefault, kNamed };
  struct Part {
    PartKind kind = PartKind::kAbsent;
    std::string name;
  };
  Part user;
  Part client_id;
  double producer_byte_rate = 0;  // Bytes per second; 0: no such limit.
  double consumer_byte_rate = 0;
};

class DataPlaneEvents {
 public:
  virtual ~DataPlaneEvents() = default;
  // Control requests wait. Called once until TakeControlRequests is called again.
  virtual void OnControlRequests() = 0;
  // The connection closed; forget what belongs to it. Only for connections that sent a control
  // request.
  virtual void OnConnectionClosed(uint64_t connection) = 0;
  virtual void OnLogDirFailed(const std::string& path, const std::string& why) = 0;
  virtual void OnLogLine(int level, const std::string& message) = 0;
  // An internal partition was synced up to `flushed_offset`, or (`ok` false) never will be any
  // more. Follows Append() calls that were not durable at once.
  virtual void OnFlushed(const std::string& topic, int32_t partition, int64_t flushed_offset,
                         bool ok) = 0;
};

struct PartitionSpec {
  std::string topic;
  TopicId topic_id{};
  int32_t partition = 0;
  std::string log_dir;  // A dir given to AddLogDir.
  int32_t leader_epoch = 0;
  bool clean_shutdown = false;
  int64_t recovery_point = 0;
  int64_t log_start_offset = 0;
  log::LogConfig config;
};

// A batch that a coordinator appended.
struct AppendedBatch {
  int64_t base_offset = -1;
  int64_t last_offset = -1;
  bool durable = false;  // Else OnFlushed() follows.
};

struct PartitionState {
  log::LogOffsets offsets;
  int32_t leader_epoch = -1;
  int64_t size_bytes = 0;
  int64_t segment_count = 0;
  bool offline = false;
};

class DataPlane {
 public:
  // `events` outlives the data plane. `file_system` too.
  static Result<std::unique_ptr<DataPlane>> Start(const DataPlaneOptions& options,
                                                  io::FileSystem& file_system,
                                                  DataPlaneEvents& events);
  virtual ~DataPlane() = default;

  virtual Result<uint16_t> Listen(const std::string& host, uint16_t port, uint32_t listener) = 0;

  virtual void AddLogDir(const std::string& path) = 0;
  // Blocks (recovery). Opens the log and becomes leader at the epoch; the partition serves when
  // this returns ok. kInvalidArgument, kAlreadyExists, kNotFound (the log dir was not added),
  // kClosed (it is offline), and what Log::Open says.
  virtual Status OpenPartition(const PartitionSpec& spec) = 0;
  // Takes the partition out of service: parked requests are answered kUnknownTopicOrPartition,
  // files are closed unflushed. The folder may then be renamed. Blocks shortly.
  virtual Status RemovePartition(const std::string& topic, int32_t partition) = 0;
  virtual Status UpdateConfig(const std::string& topic, const log::LogConfig& config) = 0;

  virtual std::optional<PartitionState> StateOf(const std::string& topic, int32_t partition) = 0;
  // The log, for lookups (ListOffsets, OffsetForLeaderEpoch); null if it is not here.
  virtual std::shared_ptr<log::Log> LogOf(const std::string& topic, int32_t partition) = 0;

  // Appends one batch of the broker's own as leader, and asks for its sync as acks=all does. The
  // bytes are changed in place. Readers see it when this returns. kNotFound, kInvalidArgument (too
  // large or no valid batch), kIo (the log dir failed or is full).
  virtual Result<AppendedBatch> Append(const std::string& topic, int32_t partition,
                                       std::span<uint8_t> batch) = 0;

  // Wakes fetches that wait on a partition: its log was changed through LogOf() (records appended,
  // log start moved) and not by a client's Produce.
  virtual void NotifyChanged(const std::string& topic, int32_t partition) = 0;

  // Moves out what waits, at most `max_requests`. If more wait, OnControlRequests follows.
  virtual std::vector<ControlRequest> TakeControlRequests(size_t max_requests) = 0;
  // `frame`: response header and body without the size; empty = no response bytes. Late answers are
  // dropped.
  // Nothing is read from the connection for `throttle_ms`.
  virtual void Respond(uint64_t connection, uint64_t place, std::vector<uint8_t> frame,
                       bool close_after, int64_t throttle_ms) = 0;
  virtual void CloseConnection(uint64_t connection, const char* reason) = 0;

  virtual net::NetCounters counters() const = 0;
  virtual void ChangeLimits(const net::ConnectionMaxima& maxima) = 0;
  // Replaces all quotas that are enforced here.
  virtual void SetQuotas(const std::vector<ByteRateQuota>& byte_rates,
                         const net::ConnectionRates& connection_rates) = 0;

  // Graceful stop, in this order, each blocking: stop listening and drain (false = deadline
  // passed), then close all logs with flush (the first failure is returned, the rest are closed all
  // the same), then stop threads.
  virtual bool Drain(int64_t timeout_ms) = 0;
  virtual Status CloseLogs() = 0;
  virtual void Stop() = 0;
};

}  // namespace millrace::dataplane
