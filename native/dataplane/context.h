// Context: what the request handlers of all reactors share, and how they reach each other.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/byte_rate_quotas.h"
#include "dataplane/control_queue.h"
#include "dataplane/data_plane.h"
#include "dataplane/log_dirs.h"
#include "dataplane/mailbox.h"
#include "dataplane/partition_table.h"
#include "log/committer.h"

namespace millrace::dataplane {

class FetchHandler;
class RequestHandler;

struct Context {
  Context(const DataPlaneOptions& given, io::FileSystem& file_system, DataPlaneEvents& sink);

  const DataPlaneOptions options;
  DataPlaneEvents& events;
  PartitionTable partitions;
  ControlQueue control;
  ByteRateQuotas quotas;
  LogDirs log_dirs;
  // Set before the first connection, then constant.
  log::Committer* committer = nullptr;
  net::ReactorPool* pool = nullptr;
  std::vector<std::unique_ptr<Mailbox>> mailboxes;  // By Reactor::index().
  std::vector<RequestHandler*> request_handlers;    // By Reactor::index().
  std::vector<FetchHandler*> fetch_handlers;        // Theirs.
  // Nobody waits any more: the broker stops.
  std::atomic<bool> draining{false};

  static constexpr size_t kNoReactor = ~size_t{0};
  // Any thread, after the partition's log changed: queues it on every reactor that waits for such
  // a change, except the caller's own.
  void NotifyChanged(Partition& partition, uint32_t changes, size_t own_reactor = kNoReactor);
  // Any thread. Brings an answer to a connection, wherever it lives. Dropped if it is gone.
  void Deliver(Delivery delivery);

 private:
  void OnLogDirFailed(const std::shared_ptr<log::LogDir>& dir);
};

}  // namespace millrace::dataplane
