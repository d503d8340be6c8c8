// Builds the response of a Fetch: the fields in memory, the records as ranges of their files, or,
// where they are few, copied beside the fields.
#pragma once

#include <cstdint>
#include <span>

#include "dataplane/fetch_reader.h"
#include "net/response.h"

namespace millrace::dataplane {

struct FetchResponseOptions {
  size_t small_read_bytes_max = 0;  // Up to this many bytes are copied; more are sent by sendfile.
  int32_t node_id = -1;
};

// A response of the whole request: no partitions, session id 0.
net::Response BuildFetchError(const FetchParameters& parameters, KafkaError error);

// The response of a fetch that is over its quota: nothing, and for how long the client must wait.
net::Response BuildThrottledFetch(const FetchParameters& parameters, int32_t session_id,
                                  int64_t throttle_ms);

// The bytes of records in the response, which count for a quota: with the fields beside them, a
// response as large as the quota allows would always be over it.
size_t RecordBytes(std::span<const PartitionAnswer> answers);

// `answers` in the order they shall have; neighbours of one topic are grouped. Takes their slices.
// A copy that fails, which takes a failing disk, becomes kKafkaStorageError of its partition.
net::Response BuildFetchResponse(const FetchParameters& parameters, int32_t session_id,
                                 std::span<PartitionAnswer> answers,
                                 const FetchResponseOptions& options);

}  // namespace millrace::dataplane
