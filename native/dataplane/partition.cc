#include "dataplane/partition.h"

namespace millrace::dataplane {
namespace {

bool IsInternal(const std::string& topic) {
  return topic == "__consumer_offsets" || topic == "__transaction_state" ||
         topic == "__share_group_state";
}

}  // namespace

Partition::Partition(PartitionName name, std::shared_ptr<log::LogDir> dir,
                     std::shared_ptr<log::Log> log, size_t reactors)
    : name_(std::move(name)),
      dir_(std::move(dir)),
      log_(std::move(log)),
      internal_(IsInternal(name_.topic)),
      slots_(std::make_unique<WakeSlot[]>(reactors)) {}

}  // namespace millrace::dataplane
