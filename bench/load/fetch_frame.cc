#include "load/fetch_frame.h"

#include <algorithm>

#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {

FetchHeader ReadFetchHeader(std::string_view bytes, const std::string& topic) {
  Decoder header(bytes);
  FetchHeader read{};
  read.frame_size = header.Int32();
  read.correlation_id = header.Int32();
  header.Int32();
  const int16_t error = header.Int16();
  header.Int32();
  const bool one_topic = header.Count() == 1 && header.String() == topic && header.Count() == 1;
  if (error != 0 || !one_topic) {
    Fail("A Fetch response has error %d, or not exactly the one partition asked for.", error);
  }
  const int32_t partition = header.Int32();
  const int16_t partition_error = header.Int16();
  if (partition_error != 0) {
    Fail("Fetch of %s-%d failed with error %d.", topic.c_str(), partition, partition_error);
  }
  read.high_watermark = header.Int64();
  header.Int64();
  header.Int64();
  if (header.Count() != 0) {
    Fail("%s has aborted transactions; the benchmarks make none.", topic.c_str());
  }
  header.Int32();
  read.records_size = static_cast<size_t>(std::max(header.Int32(), 0));
  const size_t expected = bytes.size() - 4 + read.records_size;
  if (!header.ok() || static_cast<size_t>(read.frame_size) != expected) {
    Fail("A Fetch response of %d bytes should have %zu.", read.frame_size, expected);
  }
  return read;
}

}  // namespace millrace::bench
