// PartitionTable: which partitions are in service, by topic name and by topic id. Many readers
// (every Produce and Fetch), few writers (a partition comes or goes). Lookups allocate nothing.
#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/kafka_error.h"
#include "dataplane/partition.h"

namespace millrace::dataplane {

class PartitionTable {
 public:
  // Any thread. Null: the topic or the partition is not here.
  std::shared_ptr<Partition> Find(std::string_view topic, int32_t index) const;

  struct Found {
    std::shared_ptr<Partition> partition;  // Null: see `error`.
    KafkaError error = KafkaError::kNone;
  };
  // By id: kUnknownTopicId, kUnknownTopicOrPartition (the topic is known, the partition is not), or
  // kInconsistentTopicId (the partition belongs to another incarnation of the topic).
  Found FindById(const Uuid& id, int32_t index) const;
  std::shared_ptr<Partition> FindByLog(const log::Log* log) const;

  // False if there is one of that name already.
  bool Insert(std::shared_ptr<Partition> partition);
  // Takes it out and marks it removed; null if it is not here. The caller wakes who waits.
  std::shared_ptr<Partition> Remove(std::string_view topic, int32_t index);

  std::vector<std::shared_ptr<Partition>> Snapshot() const;
  // Those with activity since the last call (Partition::TakeActive).
  std::vector<std::shared_ptr<Partition>> TakeActive() const;
  std::vector<std::shared_ptr<Partition>> OfTopic(std::string_view topic) const;

 private:
  struct Topic {
    Uuid id;
    size_t count = 0;
    std::vector<std::shared_ptr<Partition>> partitions;  // By index; null where there is none.
  };
  struct NameHash {
    using is_transparent = void;
    size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };

  static std::shared_ptr<Partition> At(const Topic& topic, int32_t index);

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::string, Topic, NameHash, std::equal_to<>> topics_;
  std::unordered_map<Uuid, const Topic*> by_id_;
  std::unordered_map<const log::Log*, std::weak_ptr<Partition>> by_log_;
};

}  // namespace millrace::dataplane
