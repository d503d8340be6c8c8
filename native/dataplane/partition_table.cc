#include "dataplane/partition_table.h"

#include <mutex>

namespace millrace::dataplane {

std::shared_ptr<Partition> PartitionTable::At(const Topic& topic, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= topic.partitions.size()) return nullptr;
  return topic.partitions[static_cast<size_t>(index)];
}

std::shared_ptr<Partition> PartitionTable::Find(std::string_view topic, int32_t index) const {
  const std::shared_lock lock(mutex_);
  const auto found = topics_.find(topic);
  return found == topics_.end() ? nullptr : At(found->second, index);
}

PartitionTable::Found PartitionTable::FindById(const Uuid& id, int32_t index) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_id_.find(id);
  if (found == by_id_.end()) return {nullptr, KafkaError::kUnknownTopicId};
  std::shared_ptr<Partition> partition = At(*found->second, index);
  if (partition == nullptr) return {nullptr, KafkaError::kUnknownTopicOrPartition};
  if (partition->topic_id() != id) return {nullptr, KafkaError::kInconsistentTopicId};
  return {std::move(partition), KafkaError::kNone};
}

std::shared_ptr<Partition> PartitionTable::FindByLog(const log::Log* log) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_log_.find(log);
  return found == by_log_.end() ? nullptr : found->second.lock();
}

bool PartitionTable::Insert(std::shared_ptr<Partition> partition) {
  const auto index = static_cast<size_t>(partition->index());
  const std::unique_lock lock(mutex_);
  Topic& topic = topics_[partition->topic()];
  if (topic.partitions.size() <= index) topic.partitions.resize(index + 1);
  if (topic.partitions[index] != nullptr) return false;
  if (topic.id != partition->topic_id()) {
    by_id_.erase(topic.id);
    topic.id = partition->topic_id();
  }
  if (!topic.id.IsZero()) by_id_[topic.id] = &topic;  // Elements of the map never move.
  by_log_[&partition->log()] = partition;
  topic.partitions[index] = std::move(partition);
  ++topic.count;
  return true;
}

std::shared_ptr<Partition> PartitionTable::Remove(std::string_view name, int32_t index) {
  const std::unique_lock lock(mutex_);
  const auto found = topics_.find(name);
  if (found == topics_.end()) return nullptr;
  Topic& topic = found->second;
  std::shared_ptr<Partition> partition = At(topic, index);
  if (partition == nullptr) return nullptr;
  partition->set_removed();
  by_log_.erase(&partition->log());
  topic.partitions[static_cast<size_t>(index)] = nullptr;
  if (--topic.count == 0) {
    by_id_.erase(topic.id);
    topics_.erase(found);
  }
  return partition;
}

std::vector<std::shared_ptr<Partition>> PartitionTable::Snapshot() const {
  std::vector<std::shared_ptr<Partition>> all;
  const std::shared_lock lock(mutex_);
  for (const auto& [name, topic] : topics_) {
    for (const auto& partition : topic.partitions) {
      if (partition != nullptr) all.push_back(partition);
    }
  }
  return all;
}

std::vector<std::shared_ptr<Partition>> PartitionTable::TakeActive() const {
  std::vector<std::shared_ptr<Partition>> active;
  const std::shared_lock lock(mutex_);
  for (const auto& [name, topic] : topics_) {
    for (const auto& partition : topic.partitions) {
      if (partition != nullptr && partition->TakeActive()) active.push_back(partition);
    }
  }
  return active;
}

std::vector<std::shared_ptr<Partition>> PartitionTable::OfTopic(std::string_view name) const {
  std::vector<std::shared_ptr<Partition>> all;
  const std::shared_lock lock(mutex_);
  const auto found = topics_.find(name);
  if (found == topics_.end()) return all;
  for (const auto& partition : found->second.partitions) {
    if (partition != nullptr) all.push_back(partition);
  }
  return all;
}

}  // namespace millrace::dataplane
