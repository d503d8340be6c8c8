// Many connections at once, each of which has been answered once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "load/connection.h"

namespace millrace::bench {

using Crowd = std::vector<std::unique_ptr<Connection>>;

// Opens `count` connections in groups and has each one's ApiVersions answered. Ends the process
// when one is refused.
Crowd OpenCrowd(const Address& address, int64_t count);

}  // namespace millrace::bench
