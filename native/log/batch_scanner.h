// BatchScanner: steps over the batch headers of a segment file without trusting them. Used by reads
// (a bounded scan after the index), lookups and recovery.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "io/file_system.h"
#include "record/record_batch.h"

namespace millrace::log {

enum class ScanStep : uint8_t {
  kBatch,  // batch() and position() are set; the whole batch lies below the limit.
  kEnd,    // The limit, or zeros: preallocated space.
  kBad,    // Not a batch; problem() says why.
};

// One thread. `buffer` is the caller's, at least one header long; larger ones save reads.
class BatchScanner {
 public:
  BatchScanner(io::File& file, uint64_t position, uint64_t limit, std::span<uint8_t> buffer)
      : file_(file), next_(position), limit_(limit), buffer_(buffer) {}

  Result<ScanStep> Next();

  record::RecordBatch batch() const { return record::RecordBatch(buffer_.data() + header_at_); }
  uint64_t position() const { return position_; }
  uint64_t next_position() const { return next_; }
  const char* problem() const { return problem_; }

  // All bytes of the current batch: in the buffer, else read into `spill`. Null: the file is
  // shorter than it was.
  Result<const uint8_t*> WholeBatch(std::vector<uint8_t>& spill);

 private:
  // Brings the bytes at next_ to the buffer; returns how many of a header there are.
  Result<size_t> LoadHeader();
  ScanStep Bad(const char* problem);

  io::File& file_;
  uint64_t position_ = 0;
  uint64_t next_;
  const uint64_t limit_;
  const std::span<uint8_t> buffer_;
  uint64_t buffer_start_ = 0;
  size_t buffer_size_ = 0;
  size_t header_at_ = 0;
  const char* problem_ = "";
};

}  // namespace millrace::log
