// One connection of the produce engine: frames encoded beforehand, up to `depth` of them
// unanswered.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "load/connection.h"
#include "load/histogram.h"
#include "wire/record_batch.h"

namespace millrace::bench {

struct ProduceLoad {
  Address address;
  std::string topic;
  int32_t partitions;
  int64_t record_size;
  int64_t batch_bytes;
  int64_t request_bytes;
  int64_t connections;
  int64_t depth;
  int16_t acks;
};

class Producer {
 public:
  // `index` shifts the partitions, so that the connections do not march in step.
  Producer(const ProduceLoad& load, const RecordBatch& batch, int64_t index);

  // Queues frames while `budget` and the depth allow, and sends what the socket takes.
  void Pump(int64_t& budget);

  // Reads the answers there are; ends the process on an error code or a foreign correlation id.
  void Receive(Histogram& latencies);

  bool idle() const { return answered_ == queued_; }
  int fd() const { return connection_.fd(); }
  int64_t batches_per_request() const { return batches_per_request_; }

 private:
  std::string EncodeFrame(const ProduceLoad& load, const RecordBatch& batch);
  // Writes correlation id and partitions of request `number` into the frame at `frame`.
  void Address(char* frame, int64_t number) const;
  void Send();
  void CheckResponse(std::string_view response) const;

  Connection connection_;
  int64_t depth_;
  int64_t batches_per_request_;
  int64_t partitions_;
  // Request `number` starts at partition (first_partition_ + number * batches_per_request_).
  int64_t first_partition_;
  size_t partition_at_ = 0;
  size_t partition_stride_ = 0;
  // Frames of equal size, one after the other; frame n is in slot n % slots_. What tells them apart
  // is patched before they are sent, so that ten thousand partitions need no more memory than one.
  std::string frames_;
  size_t frame_size_ = 0;
  int64_t slots_ = 0;
  int64_t queued_ = 0;
  int64_t sending_ = 0;
  size_t sent_of_frame_ = 0;
  int64_t answered_ = 0;
  std::vector<int64_t> queued_at_;
  std::string input_;
  size_t input_size_ = 0;
};

}  // namespace millrace::bench
