// Builds the response of a Produce: one entry for each partition of the request, in its order.
#pragma once

#include <span>

#include "dataplane/produce_request.h"
#include "net/response.h"

namespace millrace::dataplane {

net::Response BuildProduceResponse(const ProduceRequest& request,
                                   std::span<const ProducePartition> partitions);

}  // namespace millrace::dataplane
