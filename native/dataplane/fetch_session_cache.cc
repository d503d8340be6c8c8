#include "dataplane/fetch_session_cache.h"

#include <limits>

namespace millrace::dataplane {
namespace {

size_t PartOf(const FetchSessionCache::Shard& shard) {
  return shard.slots_max / shard.count + (shard.index < shard.slots_max % shard.count ? 1 : 0);
}

}  // namespace

FetchSessionCache::FetchSessionCache(const Shard& shard)
    : slots_max_(PartOf(shard)), index_(shard.index), count_(shard.count), random_(shard.seed) {}

bool FetchSessionCache::Add(const std::shared_ptr<FetchSession>& session, int64_t now_ms) {
  if (sessions_.size() >= slots_max_ && !MakeRoom(session->size(), now_ms)) return false;
  session->id = NewId();
  session->epoch = 1;
  session->created_ms = now_ms;
  sessions_.emplace(session->id, session);
  Touch(*session, now_ms);
  return true;
}

std::shared_ptr<FetchSession> FetchSessionCache::Find(int32_t id) const {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second;
}

void FetchSessionCache::Touch(FetchSession& session, int64_t now_ms) {
  static_cast<ListNode<LastUsedTag>&>(session).Unlink();
  session.last_used_ms = now_ms;
  last_used_.PushBack(&session);
  const bool evictable = now_ms - session.created_ms > kEvictionMs;
  if (evictable == session.evictable && session.evictable_size == session.size()) return;
  if (session.evictable) evictable_.erase({session.evictable_size, session.id});
  if (evictable) evictable_.emplace(session.size(), session.id);
  session.evictable = evictable;
  session.evictable_size = session.size();
}

void FetchSessionCache::Remove(int32_t id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return;
  FetchSession& session = *found->second;
  static_cast<ListNode<LastUsedTag>&>(session).Unlink();
  if (session.evictable) evictable_.erase({session.evictable_size, session.id});
  sessions_.erase(found);
}

bool FetchSessionCache::MakeRoom(size_t size, int64_t now_ms) {
  const FetchSession* oldest = last_used_.front();
  if (oldest == nullptr) return false;
  if (now_ms - oldest->last_used_ms > kEvictionMs) {
    Remove(oldest->id);
    return true;
  }
  if (evictable_.empty() || evictable_.begin()->first >= size) return false;
  Remove(evictable_.begin()->second);
  return true;
}

int32_t FetchSessionCache::NewId() {
  const uint64_t range = static_cast<uint64_t>(std::numeric_limits<int32_t>::max()) / count_ - 1;
  for (;;) {
    random_ += 0x9E3779B97F4A7C15u;  // splitmix64
    uint64_t mixed = (random_ ^ (random_ >> 30)) * 0xBF58476D1CE4E5B9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
    const uint64_t drawn = (mixed >> 31) % range + 1;
    const auto id = static_cast<int32_t>(drawn * count_ + index_);
    if (!sessions_.contains(id)) return id;
  }
}

}  // namespace millrace::dataplane
