// A Produce request of one small record, sent and answered by itself.
#pragma once

#include <string>

#include "load/connection.h"
#include "wire/decoder.h"
#include "wire/fail.h"
#include "wire/record_batch.h"

namespace millrace::bench {

class SingleRecord {
 public:
  SingleRecord(std::string topic, int32_t partition)
      : topic_(std::move(topic)), partition_(partition), batch_(MakeRecordBatch(100, 0)) {}

  void Send(Connection& connection) const {
    Encoder request;
    request.BeginRequest(kProduceApi);
    request.Int16(-1);
    request.Int16(1);
    request.Int32(30'000);
    request.Int32(1);
    request.String(topic_);
    request.Int32(1);
    request.Int32(partition_);
    request.Int32(static_cast<int32_t>(batch_.bytes.size()));
    request.Raw(batch_.bytes);
    connection.Send(request);
  }

  // Ends the process when the record was refused.
  static void CheckAnswer(Connection& connection) {
    const std::string bytes = connection.Receive();
    Decoder response(bytes);
    response.Count();
    response.String();
    response.Count();
    response.Int32();
    const int16_t error = response.Int16();
    if (!response.ok() || error != 0) {
      Fail("A record was answered with error %d.", error);
    }
  }

  void Produce(Connection& connection) const {
    Send(connection);
    CheckAnswer(connection);
  }

 private:
  std::string topic_;
  int32_t partition_;
  RecordBatch batch_;
};

}  // namespace millrace::bench
