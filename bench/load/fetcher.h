// One connection of the fetch engine: one request in flight; of its answer only the header and the
// first batch header are read, the rest is dropped inside the kernel (MSG_TRUNC).
#pragma once

#include <cstdint>
#include <string>

#include "load/connection.h"
#include "load/fetch_frame.h"
#include "load/histogram.h"

namespace millrace::bench {

class Fetcher {
 public:
  // Reads the partition from `start` on and begins there anew whenever it reaches the end.
  Fetcher(const Address& address, const std::string& topic, int32_t partition, int64_t start);

  // Sends a request while there is none in flight and `budget` (bytes) is not used up.
  void Pump(int64_t budget);

  // Reads what has arrived; returns the bytes of records it held.
  int64_t Receive(Histogram& latencies);

  bool idle() const { return !in_flight_; }
  int fd() const { return connection_.fd(); }

 private:
  enum class Part { kHeader, kBatchHeader, kRest };

  bool ReceiveHeader();
  bool ReceiveBatchHeader();
  void Finish(Histogram& latencies);
  // Completes `wanted` bytes of head_; false when the socket has no more.
  bool Fill(size_t wanted);

  Connection connection_;
  std::string topic_;
  FetchFrame frame_;
  int64_t start_;
  int64_t offset_;
  size_t header_size_;
  bool in_flight_ = false;
  int64_t sent_at_ = 0;
  int32_t correlation_id_ = 0;

  Part part_ = Part::kHeader;
  std::string head_;
  size_t head_size_ = 0;
  FetchHeader header_{};
  int64_t next_offset_ = 0;
  size_t rest_ = 0;
};

}  // namespace millrace::bench
