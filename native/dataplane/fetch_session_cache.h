// FetchSessionCache: the fetch sessions of one reactor, bounded (kafka.md 4.4). Kafka splits its
// cache into shards; here each reactor is a shard, so that sessions need no locks. A session id
// tells its reactor.
//
// When the cache is full a new session takes the place of one that was idle for two minutes, else
// of a smaller one that is older than two minutes; else the fetch goes on without a session.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "dataplane/fetch_session.h"

namespace millrace::dataplane {

class FetchSessionCache {
 public:
  struct Shard {
    size_t slots_max = 0;  // Of all reactors together.
    size_t index = 0;
    size_t count = 1;
    uint64_t seed = 0;  // Of the session ids.
  };
  explicit FetchSessionCache(const Shard& shard);

  // The reactor on which a session lives.
  static size_t ShardOf(int32_t session_id, size_t count) {
    return static_cast<size_t>(session_id) % count;
  }
  // min.incremental.fetch.session.eviction.ms of Kafka.
  static constexpr int64_t kEvictionMs = 120'000;

  // Gives the session an id and the epoch 1. False: no room, the session keeps id 0.
  bool Add(const std::shared_ptr<FetchSession>& session, int64_t now_ms);
  std::shared_ptr<FetchSession> Find(int32_t id) const;
  // After each use: the session's age, size and last use decide over eviction.
  void Touch(FetchSession& session, int64_t now_ms);
  void Remove(int32_t id);
  size_t size() const { return sessions_.size(); }

 private:
  bool MakeRoom(size_t size, int64_t now_ms);
  int32_t NewId();

  const size_t slots_max_;
  const size_t index_;
  const size_t count_;
  uint64_t random_;
  std::unordered_map<int32_t, std::shared_ptr<FetchSession>> sessions_;
  IntrusiveList<FetchSession, LastUsedTag> last_used_;  // The longest unused first.
  std::set<std::pair<size_t, int32_t>> evictable_;      // Size and id of those old enough.
};

}  // namespace millrace::dataplane
