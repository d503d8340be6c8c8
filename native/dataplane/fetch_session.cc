#include "dataplane/fetch_session.h"

#include <algorithm>
#include <utility>

namespace millrace::dataplane {

FetchEntry::FetchEntry(FetchSession& owner, const FetchPartitionRequest& request)
    : session(owner),
      name_(request.topic),
      topic_id_(request.topic_id),
      partition_index_(request.partition) {
  Update(request);
  ++session.unresolved;
}

void FetchEntry::Update(const FetchPartitionRequest& request) {
  current_leader_epoch = request.current_leader_epoch;
  last_fetched_epoch = request.last_fetched_epoch;
  fetch_offset = request.fetch_offset;
  max_bytes = static_cast<size_t>(std::max(request.partition_max_bytes, 0));
}

std::string_view FetchEntry::topic() const {
  if (session.uses_topic_ids) return {};
  return partition_ == nullptr ? std::string_view(name_) : std::string_view(partition_->topic());
}

KafkaError FetchEntry::Resolve(const PartitionTable& table) {
  if (partition_ != nullptr && !partition_->removed()) return KafkaError::kNone;
  PartitionTable::Found found;
  if (session.uses_topic_ids) {
    found = table.FindById(topic_id_, partition_index_);
  } else {
    found.partition = table.Find(topic(), partition_index_);
    if (found.partition == nullptr) found.error = KafkaError::kUnknownTopicOrPartition;
  }
  if (partition_ == nullptr && found.partition == nullptr) return found.error;
  // Either it came into service, or the one that was known has left it.
  static_cast<FetchWatch*>(this)->Unlink();
  if (found.partition == nullptr) {
    if (!session.uses_topic_ids) name_ = partition_->topic();
    ++session.unresolved;
  } else {
    if (partition_ == nullptr) --session.unresolved;
    name_.clear();
  }
  partition_ = std::move(found.partition);
  if (partition_ != nullptr && session.watching) Watch();
  return found.error;
}

void FetchEntry::Watch() {
  WakeSlot& slot = partition_->slot(session.reactor);
  slot.fetches.PushBack(this);
  slot.Announce(kAppended);
}

FetchSession::~FetchSession() {
  while (FetchEntry* entry = order_.front()) Destroy(entry);
}

void FetchSession::Destroy(FetchEntry* entry) {
  if (entry->partition() == nullptr) --unresolved;
  --size_;
  delete entry;  // Leaves all lists by itself.
}

FetchEntry& FetchSession::Append(const FetchPartitionRequest& request) {
  auto* entry = new FetchEntry(*this, request);
  order_.PushBack(entry);
  ++size_;
  return *entry;
}

void FetchSession::Put(const FetchPartitionRequest& request) {
  const auto found = index_.find(FetchKey{request.topic, request.topic_id, request.partition});
  if (found != index_.end()) {
    (*found)->Update(request);
    Activate(**found);
    return;
  }
  FetchEntry& entry = Append(request);
  index_.insert(&entry);
  Activate(entry);
}

void FetchSession::Forget(const FetchKey& key) {
  const auto found = index_.find(key);
  if (found == index_.end()) return;
  FetchEntry* entry = *found;
  index_.erase(found);
  Destroy(entry);
}

void FetchSession::BuildIndex() {
  index_.reserve(size_);
  for (FetchEntry* entry = order_.front(); entry != nullptr;) {
    FetchEntry* next = order_.Next(entry);
    const auto [place, inserted] = index_.insert(entry);
    if (!inserted) {
      FetchEntry* earlier = *place;
      index_.erase(place);
      Destroy(earlier);
      index_.insert(entry);
    }
    entry = next;
  }
}

void FetchSession::WatchAll(size_t reactor_index) {
  reactor = reactor_index;
  const bool already = std::exchange(watching, true);
  for (FetchEntry* entry = order_.front(); entry != nullptr; entry = order_.Next(entry)) {
    Activate(*entry);
    if (!already && entry->partition() != nullptr) entry->Watch();
  }
}

size_t FetchSession::Hash::operator()(const FetchKey& key) const {
  const size_t topic = key.topic.empty() ? std::hash<Uuid>{}(key.topic_id)
                                         : std::hash<std::string_view>{}(key.topic);
  return topic * 31 + static_cast<size_t>(key.partition);
}

}  // namespace millrace::dataplane
