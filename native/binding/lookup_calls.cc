// batchByTimestamp, batchWithMaxTimestamp, endOffsetForEpoch, epochForOffset, activeProducers.
#include <limits>
#include <utility>
#include <vector>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/promise_work.h"

namespace millrace::binding {
namespace {

using Found = std::optional<log::BatchCopy>;

// The log that arguments 1 and 2 name; null if it is not here or an argument is wrong (then
// `arguments` knows).
std::shared_ptr<log::Log> LogOf(DataPlaneHolder& holder, Arguments& arguments) {
  const std::string topic = arguments.String(1, "topic");
  const auto partition = static_cast<int32_t>(
      arguments.Integer(2, "partition", 0, std::numeric_limits<int32_t>::max()));
  return arguments.ok() ? holder.data_plane->LogOf(topic, partition) : nullptr;
}

Napi::Value FoundToJs(Napi::Env env, Found& found) {
  if (!found.has_value()) return env.Null();
  return Napi::Buffer<uint8_t>::Copy(env, found->bytes.data(), found->bytes.size());
}

Napi::Promise Lookup(Napi::Env env, std::shared_ptr<log::Log> log,
                     std::function<Result<Found>(log::Log&)> find) {
  return PromiseWork<Found>::Start(
      env,
      [log = std::move(log), find = std::move(find)]() -> Result<Found> {
        if (log == nullptr) return Error{ErrorCode::kNotFound, 0, "no such partition here"};
        return find(*log);
      },
      FoundToJs);
}

}  // namespace

Napi::Value BatchByTimestamp(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  auto log = LogOf(*holder, arguments);
  const int64_t timestamp = arguments.BigInt(3, "timestamp");
  const int64_t from = arguments.BigInt(4, "from");
  const int64_t below = arguments.BigInt(5, "below");
  if (arguments.Throw()) return info.Env().Undefined();
  return Lookup(info.Env(), std::move(log), [=](log::Log& found) {
    return found.FirstBatchWithTimestamp(timestamp, from, below);
  });
}

Napi::Value BatchWithMaxTimestamp(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  auto log = LogOf(*holder, arguments);
  if (arguments.Throw()) return info.Env().Undefined();
  return Lookup(info.Env(), std::move(log),
                [](log::Log& found) { return found.BatchWithMaxTimestamp(); });
}

Napi::Value EndOffsetForEpoch(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const auto log = LogOf(*holder, arguments);
  const auto epoch = static_cast<int32_t>(arguments.Integer(
      3, "leaderEpoch", std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  if (arguments.Throw() || log == nullptr) return env.Undefined();
  const log::EpochEndOffset end = log->EndOffsetForEpoch(epoch);
  Napi::Object object = Napi::Object::New(env);
  object.Set("leaderEpoch", Napi::Number::New(env, end.leader_epoch));
  object.Set("endOffset", Napi::BigInt::New(env, end.end_offset));
  return object;
}

Napi::Value EpochForOffset(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const auto log = LogOf(*holder, arguments);
  const int64_t offset = arguments.BigInt(3, "offset");
  if (arguments.Throw() || log == nullptr) return env.Undefined();
  return Napi::Number::New(env, log->EpochForOffset(offset));
}

Napi::Value GetActiveProducers(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const auto log = LogOf(*holder, arguments);
  if (arguments.Throw() || log == nullptr) return env.Undefined();
  const std::vector<log::ActiveProducer> producers = log->ActiveProducers();
  Napi::Array array = Napi::Array::New(env, producers.size());
  for (uint32_t i = 0; i < producers.size(); i++) {
    const log::ActiveProducer& producer = producers[i];
    Napi::Object object = Napi::Object::New(env);
    object.Set("producerId", Napi::BigInt::New(env, producer.producer_id));
    object.Set("producerEpoch", Napi::Number::New(env, producer.epoch));
    object.Set("lastSequence", Napi::Number::New(env, producer.last_sequence));
    object.Set("lastTimestamp", Napi::BigInt::New(env, producer.last_timestamp));
    object.Set("coordinatorEpoch", Napi::Number::New(env, producer.coordinator_epoch));
    object.Set("currentTxnStartOffset", Napi::BigInt::New(env, producer.transaction_first_offset));
    array.Set(i, object);
  }
  return array;
}

}  // namespace millrace::binding
