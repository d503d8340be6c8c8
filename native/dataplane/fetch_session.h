// FetchSession: the partitions of a fetch, and of all later incremental fetches of it (KIP-227).
// A fetch without a session uses one too and drops it once answered (its id stays 0).
//
// An incremental fetch looks only at the active partitions: those that may have something to tell.
// A partition leaves that list when a look at it found nothing, and comes back when the log
// changes (WakeSlot) or the client asks something new of it, so that idle partitions cost nothing.
// The list is also the order of service: who was served goes to its end (fairness of KIP-227).
//
// Belongs to one reactor and is touched only on its thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/kafka_error.h"
#include "base/uuid.h"
#include "dataplane/partition.h"
#include "dataplane/partition_table.h"

namespace millrace::dataplane {

class FetchSession;
class ParkedFetch;
struct OrderTag;
struct ActiveTag;
struct LastUsedTag;

// What a request says of one partition.
struct FetchPartitionRequest {
  std::string_view topic;  // Versions below 13.
  Uuid topic_id;           // Versions from 13 on.
  int32_t partition = 0;
  int32_t current_leader_epoch = -1;
  int64_t fetch_offset = 0;
  int32_t last_fetched_epoch = -1;
  int32_t partition_max_bytes = 0;
};

struct FetchKey {
  std::string_view topic;
  Uuid topic_id;
  int32_t partition = 0;
};

// One partition of a session.
class FetchEntry final : public FetchWatch, public ListNode<OrderTag>, public ListNode<ActiveTag> {
 public:
  FetchEntry(FetchSession& owner, const FetchPartitionRequest& request);

  void Update(const FetchPartitionRequest& request);
  FetchKey key() const { return {topic(), topic_id_, partition_index_}; }
  std::string_view topic() const;
  const Uuid& topic_id() const { return topic_id_; }
  int32_t partition_index() const { return partition_index_; }

  // Finds the partition in the table unless it is known and in service; the error if there is
  // none.
  KafkaError Resolve(const PartitionTable& table);
  Partition* partition() const { return partition_.get(); }
  bool active() const { return static_cast<const ListNode<ActiveTag>*>(this)->linked(); }

  FetchSession& session;
  // As last asked.
  int32_t current_leader_epoch = -1;
  int32_t last_fetched_epoch = -1;
  int64_t fetch_offset = 0;
  size_t max_bytes = 0;
  // As last told; -1: tell it at the next chance.
  int64_t told_high_watermark = -1;
  int64_t told_log_start_offset = -1;
  // While the fetch is parked: how many of the bytes it waits for are here.
  size_t available_bytes = 0;

 private:
  friend class FetchSession;
  // From now on a change of the partition activates this entry.
  void Watch();

  std::shared_ptr<Partition> partition_;
  std::string name_;  // Only while no partition is known: it has the name otherwise.
  Uuid topic_id_;
  int32_t partition_index_ = 0;
};

class FetchSession : public ListNode<LastUsedTag> {
 public:
  explicit FetchSession(bool by_topic_id) : uses_topic_ids(by_topic_id) {}
  ~FetchSession();
  FetchSession(const FetchSession&) = delete;
  FetchSession& operator=(const FetchSession&) = delete;

  // A partition of a full fetch, in request order.
  FetchEntry& Append(const FetchPartitionRequest& request);
  // A partition of an incremental fetch: new, or asked anew. It becomes active. Needs the index.
  void Put(const FetchPartitionRequest& request);
  void Forget(const FetchKey& key);
  // Makes partitions findable, dropping all but the last mention of each: before Put and Forget.
  void BuildIndex();

  void Activate(FetchEntry& entry) {
    if (!entry.active()) active_.PushBack(&entry);
  }
  void Deactivate(FetchEntry& entry) { static_cast<ListNode<ActiveTag>&>(entry).Unlink(); }
  void MoveToEnd(FetchEntry& entry) {
    Deactivate(entry);
    active_.PushBack(&entry);
  }
  // Tells of changes of all partitions from now on, and makes all of them active.
  void WatchAll(size_t reactor_index);

  FetchEntry* FirstActive() { return active_.front(); }
  FetchEntry* NextActive(FetchEntry* entry) { return active_.Next(entry); }
  FetchEntry* First() { return order_.front(); }
  FetchEntry* Next(FetchEntry* entry) { return order_.Next(entry); }
  size_t size() const { return size_; }

  const bool uses_topic_ids;
  bool watching = false;
  int32_t id = 0;
  int32_t epoch = 0;  // That of the next incremental fetch.
  // Kept by FetchSessionCache.
  int64_t created_ms = 0;
  int64_t last_used_ms = 0;
  size_t evictable_size = 0;
  bool evictable = false;
  size_t unresolved = 0;          // Partitions that are not here.
  size_t reactor = 0;             // Whose thread it lives on, once it watches.
  ParkedFetch* parked = nullptr;  // The fetch that waits, if any.

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(const FetchKey& key) const;
    size_t operator()(const FetchEntry* entry) const { return (*this)(entry->key()); }
  };
  struct Equal {
    using is_transparent = void;
    static bool Same(const FetchKey& a, const FetchKey& b) {
      return a.partition == b.partition && a.topic == b.topic && a.topic_id == b.topic_id;
    }
    bool operator()(const FetchEntry* a, const FetchEntry* b) const {
      return Same(a->key(), b->key());
    }
    bool operator()(const FetchKey& a, const FetchEntry* b) const { return Same(a, b->key()); }
    bool operator()(const FetchEntry* a, const FetchKey& b) const { return Same(a->key(), b); }
  };

  void Destroy(FetchEntry* entry);

  IntrusiveList<FetchEntry, OrderTag> order_;  // All partitions; owns them.
  IntrusiveList<FetchEntry, ActiveTag> active_;
  std::unordered_set<FetchEntry*, Hash, Equal> index_;
  size_t size_ = 0;
};

}  // namespace millrace::dataplane
