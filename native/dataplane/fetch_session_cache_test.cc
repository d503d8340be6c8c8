// Which session gives way to which (KIP-227).
#include "dataplane/fetch_session_cache.h"

#include <doctest/doctest.h>

namespace millrace::dataplane {
namespace {

constexpr int64_t kLater = FetchSessionCache::kEvictionMs + 1;

std::shared_ptr<FetchSession> SessionOf(int32_t partitions) {
  auto session = std::make_shared<FetchSession>(false);
  for (int32_t i = 0; i < partitions; ++i) session->Append({"orders", {}, i});
  return session;
}

}  // namespace

TEST_CASE("ids are positive, distinct and name their shard") {
  FetchSessionCache cache({1000, 2, 3, 1});
  for (int i = 0; i < 333; ++i) {
    const auto session = SessionOf(1);
    REQUIRE(cache.Add(session, 0));
    CHECK(session->id > 0);
    CHECK(session->epoch == 1);
    CHECK(FetchSessionCache::ShardOf(session->id, 3) == 2);
  }
  CHECK_FALSE(cache.Add(SessionOf(1), 0));
  CHECK(cache.size() == 333);
}

TEST_CASE("the shards share the slots") {
  CHECK(FetchSessionCache({1, 0, 2, 1}).Add(SessionOf(1), 0));
  CHECK_FALSE(FetchSessionCache({1, 1, 2, 1}).Add(SessionOf(1), 0));
  CHECK_FALSE(FetchSessionCache({0, 0, 1, 1}).Add(SessionOf(1), 0));
}

TEST_CASE("a session that was idle for two minutes gives way, the longest idle first") {
  FetchSessionCache cache({2, 0, 1, 1});
  const auto first = SessionOf(9);
  const auto second = SessionOf(9);
  REQUIRE(cache.Add(first, 0));
  REQUIRE(cache.Add(second, 0));
  CHECK_FALSE(cache.Add(SessionOf(1), FetchSessionCache::kEvictionMs));
  cache.Touch(*first, 10);
  REQUIRE(cache.Add(SessionOf(1), kLater));
  CHECK(cache.Find(first->id) != nullptr);
  CHECK(cache.Find(second->id) == nullptr);
}

TEST_CASE("an old and smaller session gives way to a larger one; a young or equal one does not") {
  FetchSessionCache cache({2, 0, 1, 1});
  const auto small = SessionOf(2);
  const auto large = SessionOf(8);
  REQUIRE(cache.Add(small, 0));
  REQUIRE(cache.Add(large, 0));
  cache.Touch(*small, 100'000);
  cache.Touch(*large, 100'000);
  CHECK_FALSE(cache.Add(SessionOf(5), 100'000));  // Both are younger than two minutes.
  cache.Touch(*small, kLater);
  cache.Touch(*large, kLater);
  CHECK_FALSE(cache.Add(SessionOf(2), kLater));
  REQUIRE(cache.Add(SessionOf(5), kLater));
  CHECK(cache.Find(small->id) == nullptr);
  CHECK(cache.Find(large->id) != nullptr);
}

TEST_CASE("a session that grew is judged by its new size") {
  FetchSessionCache cache({1, 0, 1, 1});
  const auto session = SessionOf(2);
  session->BuildIndex();
  REQUIRE(cache.Add(session, 0));
  cache.Touch(*session, kLater);
  for (int32_t i = 10; i < 20; ++i) session->Put({"orders", {}, i});
  cache.Touch(*session, kLater);
  CHECK_FALSE(cache.Add(SessionOf(5), kLater));
  CHECK(cache.Add(SessionOf(13), kLater));
}

TEST_CASE("removing twice, and finding what is gone") {
  FetchSessionCache cache({2, 0, 1, 1});
  const auto session = SessionOf(1);
  REQUIRE(cache.Add(session, 0));
  cache.Remove(session->id);
  cache.Remove(session->id);
  CHECK(cache.Find(session->id) == nullptr);
  CHECK(cache.size() == 0);
}

}  // namespace millrace::dataplane
