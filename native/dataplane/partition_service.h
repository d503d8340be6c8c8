// PartitionService: how partitions come into service and leave it. Opening recovers a log and
// blocks; the reactors go on meanwhile.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/clock.h"
#include "dataplane/context.h"

namespace millrace::dataplane {

class PartitionService {
 public:
  explicit PartitionService(Context& context) : context_(context) {}

  // Any thread but a reactor's. See DataPlane.
  Status Open(const PartitionSpec& spec);
  Status Remove(const std::string& topic, int32_t index);
  Status UpdateConfig(const std::string& topic, const log::LogConfig& config);
  // Closes all logs with several threads; returns the first failure, having tried them all.
  Status CloseAll();

 private:
  // Keeps two threads from opening one folder.
  class Reservation;
  Status OpenReserved(const PartitionSpec& spec);

  Context& context_;
  const SystemClock clock_;
  std::mutex mutex_;
  std::set<std::pair<std::string, int32_t>> opening_;  // Guarded by mutex_.
};

}  // namespace millrace::dataplane
