// addLogDir, openPartitions, removePartition, updateSettings, partitionState.
#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <thread>
#include <utility>

#include "binding/arguments.h"
#include "binding/calls.h"
#include "binding/data_plane_handle.h"
#include "binding/promise_work.h"

namespace millrace::binding {
namespace {

constexpr int64_t kInt32Max = std::numeric_limits<int32_t>::max();
constexpr int64_t kInt64Max = std::numeric_limits<int64_t>::max();
// Recovery reads whole segments: more threads than this only make the disk seek.
constexpr size_t kOpenThreadsMax = 4;

log::LogConfig ReadSettings(Arguments& arguments, const Napi::Object& object) {
  const auto integer = [&](const char* name, int64_t min) {
    return arguments.IntegerField(object, name, min, kInt64Max);
  };
  log::LogConfig config;
  config.segment_bytes = integer("segmentBytes", 1);
  config.segment_ms = integer("segmentMs", 1);
  config.segment_jitter_ms = integer("segmentJitterMs", 0);
  config.segment_index_bytes = integer("segmentIndexBytes", 4);
  config.index_interval_bytes = integer("indexIntervalBytes", 0);
  config.max_message_bytes = integer("maxMessageBytes", 0);
  config.message_timestamp_type = arguments.BooleanField(object, "logAppendTime")
                                      ? log::TimestampType::kLogAppendTime
                                      : log::TimestampType::kCreateTime;
  config.message_timestamp_before_max_ms = integer("timestampBeforeMaxMs", 0);
  config.message_timestamp_after_max_ms = integer("timestampAfterMaxMs", 0);
  config.file_delete_delay_ms = integer("fileDeleteDelayMs", 0);
  config.flush_messages = integer("flushMessages", 1);
  config.flush_ms = integer("flushMs", 0);
  config.producer_id_expiration_ms = integer("producerIdExpirationMs", 1);
  config.compacted = arguments.BooleanField(object, "compacted");
  const std::string flush = arguments.StringField(object, "acksAllFlush");
  if (flush == "always") {
    config.acks_all_flush = log::AcksAllFlush::kAlways;
  } else if (flush == "never") {
    config.acks_all_flush = log::AcksAllFlush::kNever;
  } else if (flush != "auto") {
    arguments.Refuse("acksAllFlush must be auto, always or never, it is " + flush);
  }
  return config;
}

dataplane::PartitionSpec ReadSpec(Arguments& arguments, const Napi::Object& object) {
  dataplane::PartitionSpec spec;
  spec.topic = arguments.StringField(object, "topic");
  const auto id = arguments.BytesField(object, "topicId");
  if (id.size() == spec.topic_id.size()) {
    std::copy(id.begin(), id.end(), spec.topic_id.begin());
  } else {
    arguments.Refuse("topicId must have 16 bytes, it has " + std::to_string(id.size()));
  }
  spec.partition = static_cast<int32_t>(arguments.IntegerField(object, "partition", 0, kInt32Max));
  spec.log_dir = arguments.StringField(object, "logDir");
  spec.leader_epoch =
      static_cast<int32_t>(arguments.IntegerField(object, "leaderEpoch", 0, kInt32Max));
  spec.clean_shutdown = arguments.BooleanField(object, "cleanShutdown");
  spec.recovery_point = arguments.BigIntField(object, "recoveryPoint");
  spec.log_start_offset = arguments.BigIntField(object, "logStartOffset");
  spec.config = ReadSettings(arguments, arguments.ObjectField(object, "settings"));
  return spec;
}

using Failures = std::vector<std::optional<Error>>;

Failures OpenAll(dataplane::DataPlane& data_plane,
                 const std::vector<dataplane::PartitionSpec>& specs) {
  Failures failures(specs.size());
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t i = next.fetch_add(1); i < specs.size(); i = next.fetch_add(1)) {
      const Status opened = data_plane.OpenPartition(specs[i]);
      if (!opened.ok()) failures[i] = opened.error();
    }
  };
  std::vector<std::thread> threads;
  for (size_t i = 1; i < std::min(kOpenThreadsMax, specs.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return failures;
}

Napi::Value FailuresToJs(Napi::Env env, const Failures& failures) {
  Napi::Array array = Napi::Array::New(env, failures.size());
  for (uint32_t i = 0; i < failures.size(); ++i) {
    if (!failures[i].has_value()) {
      array.Set(i, env.Null());
      continue;
    }
    Napi::Object failure = Napi::Object::New(env);
    failure.Set("code", CodeName(failures[i]->code));
    failure.Set("message", failures[i]->message);
    array.Set(i, failure);
  }
  return array;
}

}  // namespace

Napi::Value AddLogDir(const Info& info) {
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return info.Env().Undefined();
  Arguments arguments(info);
  const std::string path = arguments.String(1, "path");
  if (!arguments.Throw()) holder->data_plane->AddLogDir(path);
  return info.Env().Undefined();
}

Napi::Value OpenPartitions(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  std::vector<dataplane::PartitionSpec> specs;
  if (!info[1].IsArray()) {
    Napi::TypeError::New(env, "partitions must be an array").ThrowAsJavaScriptException();
    return env.Undefined();
  }
  const auto array = info[1].As<Napi::Array>();
  for (uint32_t i = 0; i < array.Length() && arguments.ok(); ++i) {
    const Napi::HandleScope scope(env);
    const Napi::Value element = array[i];
    if (!element.IsObject()) {
      Napi::TypeError::New(env, "partitions must hold objects").ThrowAsJavaScriptException();
      return env.Undefined();
    }
    specs.push_back(ReadSpec(arguments, element.As<Napi::Object>()));
  }
  if (arguments.Throw()) return env.Undefined();
  return PromiseWork<Failures>::Start(
      env,
      [holder, specs = std::move(specs)] {
        return Result<Failures>(OpenAll(*holder->data_plane, specs));
      },
      [](Napi::Env e, Failures& failures) { return FailuresToJs(e, failures); });
}

Napi::Value RemovePartition(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string topic = arguments.String(1, "topic");
  const auto partition = static_cast<int32_t>(arguments.Integer(2, "partition", 0, kInt32Max));
  if (arguments.Throw()) return env.Undefined();
  return PromiseWork<bool>::Start(
      env,
      [holder, topic, partition]() -> Result<bool> {
        const Status removed = holder->data_plane->RemovePartition(topic, partition);
        if (!removed.ok()) return removed.error();
        return true;
      },
      [](Napi::Env e, bool&) { return e.Undefined(); });
}

Napi::Value UpdateSettings(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string topic = arguments.String(1, "topic");
  const log::LogConfig config = ReadSettings(arguments, arguments.Object(2, "settings"));
  if (arguments.Throw()) return env.Undefined();
  const Status updated = holder->data_plane->UpdateConfig(topic, config);
  if (!updated.ok()) ThrowError(env, updated.error());
  return env.Undefined();
}

Napi::Value GetPartitionState(const Info& info) {
  const Napi::Env env = info.Env();
  const auto holder = UnwrapDataPlane(info);
  if (holder == nullptr) return env.Undefined();
  Arguments arguments(info);
  const std::string topic = arguments.String(1, "topic");
  const auto partition = static_cast<int32_t>(arguments.Integer(2, "partition", 0, kInt32Max));
  if (arguments.Throw()) return env.Undefined();
  const auto state = holder->data_plane->StateOf(topic, partition);
  if (!state.has_value()) return env.Undefined();
  Napi::Object object = Napi::Object::New(env);
  const auto offset = [&](const char* name, int64_t value) {
    object.Set(name, Napi::BigInt::New(env, value));
  };
  offset("logStartOffset", state->offsets.log_start_offset);
  offset("highWatermark", state->offsets.high_watermark);
  offset("lastStableOffset", state->offsets.last_stable_offset);
  offset("logEndOffset", state->offsets.log_end_offset);
  offset("flushedOffset", state->offsets.flushed_offset);
  object.Set("leaderEpoch", Napi::Number::New(env, state->leader_epoch));
  object.Set("sizeBytes", Napi::Number::New(env, static_cast<double>(state->size_bytes)));
  object.Set("segmentCount", Napi::Number::New(env, static_cast<double>(state->segment_count)));
  object.Set("offline", Napi::Boolean::New(env, state->offline));
  return object;
}

}  // namespace millrace::binding
