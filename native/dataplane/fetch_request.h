// A decoded Fetch request, and the scratch it is decoded into.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/fetch_reader.h"
#include "dataplane/fetch_session.h"
#include "dataplane/request_header.h"

namespace millrace::dataplane {

// Views point into the frame.
struct FetchRequest {
  FetchParameters parameters;
  int32_t session_id = 0;
  int32_t session_epoch = -1;
  std::vector<FetchPartitionRequest> partitions;
  std::vector<FetchKey> forgotten;
};

// Decodes into `request`, reusing its vectors. False: malformed, or more partitions than a broker
// can have; close the connection. `fetch_bytes_max` caps what the client asks for.
bool DecodeFetch(const RequestHeader& header, std::span<const uint8_t> frame,
                 int64_t fetch_bytes_max, FetchRequest& request);

}  // namespace millrace::dataplane
