#include "dataplane/context.h"

#include <utility>

namespace millrace::dataplane {

Context::Context(const DataPlaneOptions& given, io::FileSystem& file_system, DataPlaneEvents& sink)
    : options(given),
      events(sink),
      control(given.control_bytes_max),
      quotas(given.net.quota_windows),
      log_dirs(file_system,
               [this](const std::shared_ptr<log::LogDir>& dir) { OnLogDirFailed(dir); }) {}

void Context::OnLogDirFailed(const std::shared_ptr<log::LogDir>& dir) {
  events.OnLogDirFailed(dir->path(),
                        "a write or sync failed; nothing more is acknowledged from this log "
                        "directory. Check the disk, then restart the broker");
  for (const auto& partition : partitions.Snapshot()) {
    if (partition->dir() == dir) NotifyChanged(*partition, kFailed);
  }
}

void Context::NotifyChanged(Partition& partition, uint32_t changes, size_t own_reactor) {
  for (size_t i = 0; i < mailboxes.size(); ++i) {
    if (i == own_reactor || !partition.slot(i).Changed(changes)) continue;
    mailboxes[i]->PostChanged(partition.shared_from_this());
  }
}

void Context::Deliver(Delivery delivery) {
  const auto index = static_cast<size_t>(pool->ReactorOf(delivery.connection).index());
  mailboxes[index]->PostDelivery(std::move(delivery));
}

}  // namespace millrace::dataplane
