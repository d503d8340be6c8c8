#include "dataplane/wire_messages.h"

#include <doctest/doctest.h>

#include "base/byte_reader.h"
#include "base/endian.h"

namespace millrace::dataplane {
namespace {

void WriteHeader(ByteWriter& writer, int16_t key, int16_t version, int32_t correlation,
                 const std::optional<std::string>& client, bool flexible) {
  writer.WriteI16(key);
  writer.WriteI16(version);
  writer.WriteI32(correlation);
  if (client.has_value()) {
    writer.WriteString(*client, false);
  } else {
    writer.WriteI16(-1);
  }
  if (flexible) writer.WriteUVarint(0);
}

std::string Text(std::string_view view) { return std::string(view); }

// Reads the size, the correlation id and, in flexible versions, the header's tags.
ByteReader OpenResponse(const Bytes& frame, bool flexible, int32_t& correlation) {
  REQUIRE(frame.size() >= 8);
  REQUIRE(LoadBe32(frame.data()) == frame.size() - 4);
  ByteReader reader(frame.data() + 4, frame.size() - 4);
  correlation = reader.ReadI32();
  if (flexible) reader.SkipTaggedFields();
  return reader;
}

}  // namespace

Uuid TestUuid(uint8_t last) {
  Uuid uuid;
  uuid.bytes[0] = 0xAB;
  uuid.bytes[15] = last;
  return uuid;
}

Bytes ProduceMessage::Encode() const {
  Bytes out;
  ByteWriter writer(out);
  const bool flexible = version >= 9;
  WriteHeader(writer, 0, version, correlation_id, client_id, flexible);
  const std::string none;
  writer.WriteNullableString(
      transactional_id.has_value() ? std::string_view(*transactional_id) : std::string_view(),
      flexible);
  writer.WriteI16(acks);
  writer.WriteI32(timeout_ms);
  writer.WriteLength(static_cast<int64_t>(topics.size()), flexible);
  for (const TopicOf& topic : topics) {
    if (version >= 13) {
      writer.WriteUuid(topic.id);
    } else {
      writer.WriteString(topic.name, flexible);
    }
    writer.WriteLength(static_cast<int64_t>(topic.partitions.size()), flexible);
    for (const PartitionOf& partition : topic.partitions) {
      writer.WriteI32(partition.index);
      if (partition.records.has_value()) {
        writer.WriteLength(static_cast<int64_t>(partition.records->size()), flexible);
        writer.WriteRaw(partition.records->data(), partition.records->size());
      } else {
        writer.WriteLength(-1, flexible);
      }
      if (flexible) writer.WriteUVarint(0);
    }
    if (flexible) writer.WriteUVarint(0);
  }
  if (flexible) writer.WriteUVarint(0);
  return out;
}

ProduceAnswer ProduceAnswer::Decode(const Bytes& frame, int16_t version) {
  ProduceAnswer answer;
  const bool flexible = version >= 9;
  ByteReader reader = OpenResponse(frame, flexible, answer.correlation_id);
  const int32_t topics = reader.ReadArrayLength(flexible, 1);
  for (int32_t t = 0; t < topics; ++t) {
    PartitionOf shared;
    if (version >= 13) {
      shared.topic_id = reader.ReadUuid();
    } else {
      shared.topic = Text(reader.ReadString(flexible));
    }
    const int32_t count = reader.ReadArrayLength(flexible, 1);
    for (int32_t p = 0; p < count; ++p) {
      PartitionOf partition = shared;
      partition.index = reader.ReadI32();
      partition.error = reader.ReadI16();
      partition.base_offset = reader.ReadI64();
      partition.log_append_time = reader.ReadI64();
      if (version >= 5) partition.log_start = reader.ReadI64();
      if (version >= 8) {
        CHECK(reader.ReadArrayLength(flexible, 1) == 0);
        const std::string_view message = reader.ReadNullableString(flexible);
        if (message.data() != nullptr) partition.message = Text(message);
      }
      if (flexible) reader.SkipTaggedFields();
      answer.partitions.push_back(partition);
    }
    if (flexible) reader.SkipTaggedFields();
  }
  answer.throttle_ms = reader.ReadI32();
  if (flexible) reader.SkipTaggedFields();
  REQUIRE(reader.ok());
  REQUIRE(reader.remaining() == 0);
  return answer;
}

Bytes FetchMessage::Encode() const {
  Bytes out;
  ByteWriter writer(out);
  const bool flexible = version >= 12;
  WriteHeader(writer, 1, version, correlation_id, std::string("test"), flexible);
  const auto write_topic = [&](const TopicOf& topic) {
    if (version >= 13) {
      writer.WriteUuid(topic.id);
    } else {
      writer.WriteString(topic.name, flexible);
    }
    writer.WriteLength(static_cast<int64_t>(topic.partitions.size()), flexible);
  };
  if (version <= 14) writer.WriteI32(replica_id);
  writer.WriteI32(max_wait_ms);
  writer.WriteI32(min_bytes);
  writer.WriteI32(max_bytes);
  writer.WriteI8(isolation);
  if (version >= 7) writer.WriteI32(session_id);
  if (version >= 7) writer.WriteI32(session_epoch);
  writer.WriteLength(static_cast<int64_t>(topics.size()), flexible);
  for (const TopicOf& topic : topics) {
    write_topic(topic);
    for (const PartitionOf& partition : topic.partitions) {
      writer.WriteI32(partition.index);
      if (version >= 9) writer.WriteI32(partition.leader_epoch);
      writer.WriteI64(partition.offset);
      if (version >= 12) writer.WriteI32(partition.last_fetched_epoch);
      if (version >= 5) writer.WriteI64(-1);
      writer.WriteI32(partition.max_bytes);
      if (flexible) writer.WriteUVarint(0);
    }
    if (flexible) writer.WriteUVarint(0);
  }
  if (version >= 7) {
    writer.WriteLength(static_cast<int64_t>(forgotten.size()), flexible);
    for (const TopicOf& topic : forgotten) {
      write_topic(topic);
      for (const PartitionOf& partition : topic.partitions) writer.WriteI32(partition.index);
      if (flexible) writer.WriteUVarint(0);
    }
  }
  if (version >= 11) writer.WriteString("", flexible);
  if (version >= 15 && replica_id >= 0) {
    writer.WriteUVarint(1);
    const size_t start = writer.BeginTaggedField(1);
    writer.WriteI32(replica_id);
    writer.WriteI64(-1);
    writer.WriteUVarint(0);
    writer.EndTaggedField(start);
  } else if (flexible) {
    writer.WriteUVarint(0);
  }
  return out;
}

namespace {

void ReadPartitionTags(ByteReader& reader, FetchAnswer::PartitionOf& partition) {
  const uint32_t tags = reader.ReadUVarint();
  for (uint32_t i = 0; i < tags; ++i) {
    const uint32_t tag = reader.ReadUVarint();
    reader.ReadUVarint();
    if (tag == 0) {
      partition.diverging_epoch = reader.ReadI32();
      partition.diverging_end = reader.ReadI64();
    } else {
      REQUIRE(tag == 1);
      partition.leader_id = reader.ReadI32();
      partition.leader_epoch = reader.ReadI32();
    }
    reader.SkipTaggedFields();
  }
}

FetchAnswer::PartitionOf ReadPartition(ByteReader& reader, int16_t version) {
  FetchAnswer::PartitionOf partition;
  const bool flexible = version >= 12;
  partition.index = reader.ReadI32();
  partition.error = reader.ReadI16();
  partition.high_watermark = reader.ReadI64();
  partition.last_stable = reader.ReadI64();
  if (version >= 5) partition.log_start = reader.ReadI64();
  const int32_t aborted = reader.ReadNullableArrayLength(flexible, 1);
  partition.aborted_null = aborted < 0;
  CHECK(aborted <= 0);
  if (version >= 11) partition.preferred = reader.ReadI32();
  const BytesView records = reader.ReadBytes(flexible);  // Empty, never null.
  if (records.size > 0) partition.records.assign(records.data, records.data + records.size);
  if (flexible) ReadPartitionTags(reader, partition);
  return partition;
}

}  // namespace

FetchAnswer FetchAnswer::Decode(const Bytes& frame, int16_t version) {
  FetchAnswer answer;
  const bool flexible = version >= 12;
  ByteReader reader = OpenResponse(frame, flexible, answer.correlation_id);
  answer.throttle_ms = reader.ReadI32();
  if (version >= 7) answer.error = reader.ReadI16();
  if (version >= 7) answer.session_id = reader.ReadI32();
  const int32_t topics = reader.ReadArrayLength(flexible, 1);
  for (int32_t t = 0; t < topics; ++t) {
    std::string topic;
    Uuid id;
    if (version >= 13) {
      id = reader.ReadUuid();
    } else {
      topic = Text(reader.ReadString(flexible));
    }
    const int32_t count = reader.ReadArrayLength(flexible, 1);
    for (int32_t p = 0; p < count; ++p) {
      PartitionOf partition = ReadPartition(reader, version);
      partition.topic = topic;
      partition.topic_id = id;
      answer.partitions.push_back(std::move(partition));
    }
    if (flexible) reader.SkipTaggedFields();
  }
  if (flexible) reader.SkipTaggedFields();
  REQUIRE(reader.ok());
  REQUIRE(reader.remaining() == 0);
  return answer;
}

const FetchAnswer::PartitionOf* FetchAnswer::Find(const std::string& topic, int32_t index) const {
  for (const PartitionOf& partition : partitions) {
    if (partition.topic == topic && partition.index == index) return &partition;
  }
  return nullptr;
}

}  // namespace millrace::dataplane
