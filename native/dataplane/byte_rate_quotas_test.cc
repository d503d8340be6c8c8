// Byte-rate quotas over the whole request path: which limit applies, what a client is told, and
// that it is held off.
#include "dataplane/byte_rate_quotas.h"

#include <doctest/doctest.h>

#include "dataplane/request_fixture.h"

namespace millrace::dataplane {
namespace {

using PartKind = ByteRateQuota::PartKind;
constexpr ByteRateKind kProduce = ByteRateKind::kProduce;
constexpr ByteRateKind kFetch = ByteRateKind::kFetch;

ByteRateQuota::Part Named(const std::string& name) { return {PartKind::kNamed, name}; }
const ByteRateQuota::Part kAbsent{};
const ByteRateQuota::Part kDefault{PartKind::kDefault, {}};

// The limit that "c1" is under: found by what an empty window holds, ten seconds' worth.
size_t LimitOf(ByteRateQuotas& quotas) {
  const auto bytes = quotas.WindowBytes(kProduce, "c1");
  return bytes.has_value() ? *bytes / 10 : 0;
}

ProduceMessage OneBatch() {
  ProduceMessage message;
  message.topics = {{"orders", {{0, MakeBatch(1)}}, TestUuid(1)}};
  return message;
}

FetchMessage FromStart() {
  FetchMessage message;
  message.max_wait_ms = 0;
  message.topics = {{"orders", {{0, 0}}, TestUuid(1)}};
  return message;
}

}  // namespace

TEST_CASE("of all that fit a client, Kafka's order chooses") {
  // The most particular comes last; each must take over from all before it.
  const std::vector<std::pair<ByteRateQuota::Part, ByteRateQuota::Part>> entities = {
      {kAbsent, kDefault},
      {kAbsent, Named("c1")},
      {kDefault, kAbsent},
      {kDefault, kDefault},
      {kDefault, Named("c1")},
      {Named("ANONYMOUS"), kAbsent},
      {Named("ANONYMOUS"), kDefault},
      {Named("ANONYMOUS"), Named("c1")},
  };
  ByteRateQuotas quotas{QuotaWindows{}};
  std::vector<ByteRateQuota> set = {{Named("other"), Named("c1"), 1, 1},
                                    {kAbsent, Named("other"), 1, 1}};
  for (size_t i = 0; i < entities.size(); ++i) {
    quotas.Set(set);
    CHECK(LimitOf(quotas) == (i == 0 ? 0 : 1000 + i - 1));
    set.push_back({entities[i].first, entities[i].second, static_cast<double>(1000 + i), 0});
  }
  quotas.Set(set);
  CHECK(LimitOf(quotas) == 1007);
  CHECK_FALSE(quotas.WindowBytes(kFetch, "c1").has_value());
  CHECK(quotas.active(kFetch));
  quotas.Set({});
  CHECK_FALSE(quotas.active(kProduce));
}

TEST_CASE("a user's clients share a limit, clients under a default have one each") {
  ByteRateQuotas quotas{QuotaWindows{}};
  quotas.Set({{kDefault, kAbsent, 100, 0}});
  CHECK(quotas.Record(kProduce, "a", 1000, 0) == 0);
  CHECK(quotas.Record(kProduce, "b", 1000, 0) == 10'000);
  quotas.Set({});
  quotas.Set({{kAbsent, kDefault, 100, 0}});
  CHECK(quotas.Record(kProduce, "a", 1000, 0) == 0);
  CHECK(quotas.Record(kProduce, "b", 1000, 0) == 0);
  CHECK(quotas.Record(kProduce, "a", 1000, 0) == 10'000);
}

TEST_CASE("a changed limit keeps what was used; meters of the silent are forgotten") {
  ByteRateQuotas quotas{QuotaWindows{}};
  quotas.Set({{kAbsent, kDefault, 1000, 0}});
  CHECK(quotas.Record(kProduce, "a", 5000, 0) == 0);
  quotas.Set({{kAbsent, kDefault, 100, 0}});
  CHECK(quotas.Record(kProduce, "a", 0, 0) == 40'000);
  for (int i = 0; i < 5000; ++i) quotas.Record(kProduce, "c" + std::to_string(i), 1, i * 100);
  CHECK(quotas.Record(kProduce, "a", 0, 500'000) == 0);
}

TEST_CASE("a produce over its quota is appended, told, and mutes its connection") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  CHECK(harness.Produce(connection, OneBatch()).throttle_ms == 0);
  harness.context.quotas.Set({{kAbsent, kDefault, 1, 0}});
  const ProduceAnswer answer = harness.Produce(connection, OneBatch());
  CHECK(answer.throttle_ms > 0);
  CHECK(answer.partitions[0].error == 0);
  CHECK(connection.throttles == std::vector<int64_t>{0, answer.throttle_ms});
  // acks=0 has no answer that could tell, and is held off all the same.
  ProduceMessage silent = OneBatch();
  silent.acks = 0;
  harness.Send(connection, {silent.Encode()});
  CHECK(connection.throttles.back() > answer.throttle_ms);
  CHECK(log.offsets().log_end_offset == 3);
}

TEST_CASE("a fetch over its quota gets nothing, and all of it later") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  for (int i = 0; i < 20; ++i) log.Append(MakeBatch(1));
  FakeConnection& connection = harness.Connect();
  // An empty window holds 1,000 bytes: ten batches of 100.
  harness.context.quotas.Set({{kAbsent, kDefault, 0, 100}});
  const FetchAnswer first = harness.Fetch(connection, FromStart());
  CHECK(first.throttle_ms == 0);
  REQUIRE(first.partitions.size() == 1);
  const size_t size = first.partitions[0].records.size();
  CHECK(size > 0);
  CHECK(size <= 1000);
  const FetchAnswer second = harness.Fetch(connection, FromStart());
  CHECK(second.error == 0);
  CHECK(second.partitions.empty());
  CHECK(second.throttle_ms > 0);
  CHECK(connection.throttles == std::vector<int64_t>{0, second.throttle_ms});
  // What was not sent does not count: once the first answer has left the window, all is free again.
  harness.Tick(11'001);
  const FetchAnswer third = harness.Fetch(connection, FromStart());
  CHECK(third.throttle_ms == 0);
  REQUIRE(third.partitions.size() == 1);
  CHECK(third.partitions[0].records.size() == size);
}

TEST_CASE("a session survives a throttled fetch") {
  Harness harness;
  FakeLog& log = harness.AddPartition("orders", 0);
  FakeConnection& connection = harness.Connect();
  FetchMessage message = FromStart();
  message.session_epoch = 0;
  const FetchAnswer opened = harness.Fetch(connection, message);
  REQUIRE(opened.session_id != 0);
  log.Append(MakeBatch(1));
  harness.context.quotas.Set({{kAbsent, kDefault, 0, 20}});
  harness.context.quotas.Record(kFetch, "test", 1000, 1'000'000);
  message.topics.clear();
  message.session_id = opened.session_id;
  message.session_epoch = 1;
  const FetchAnswer throttled = harness.Fetch(connection, message);
  CHECK(throttled.throttle_ms > 0);
  CHECK(throttled.session_id == opened.session_id);
  CHECK(throttled.partitions.empty());
  harness.context.quotas.Set({});
  message.session_epoch = 2;
  CHECK(harness.Fetch(connection, message).partitions.size() == 1);
}

}  // namespace millrace::dataplane
