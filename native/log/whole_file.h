// Small whole files: read at once, replaced atomically.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace millrace::log {

// The whole file; nullopt if it does not exist.
Result<std::optional<std::vector<uint8_t>>> ReadWholeFile(io::FileSystem& file_system,
                                                          const std::string& path);

// Writes "<path>.tmp", syncs it, renames it to `path`, syncs `directory` (that of the path).
// Durable when ok.
Status ReplaceFile(io::FileSystem& file_system, const std::string& directory,
                   const std::string& path, std::span<const uint8_t> bytes);

}  // namespace millrace::log
