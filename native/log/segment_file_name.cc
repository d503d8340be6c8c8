#include "log/segment_file_name.h"

#include <cstdio>

namespace millrace::log {
namespace {

constexpr size_t kDigits = 20;

}  // namespace

std::string SegmentPath(const std::string& directory, int64_t base_offset,
                        std::string_view suffix) {
  char digits[kDigits + 1];
  std::snprintf(digits, sizeof digits, "%020lld", static_cast<long long>(base_offset));
  std::string path;
  path.reserve(directory.size() + 1 + kDigits + suffix.size());
  path.append(directory).append("/").append(digits).append(suffix);
  return path;
}

std::optional<SegmentFileName> ParseSegmentFileName(std::string_view name) {
  if (name.size() <= kDigits + 1 || name[kDigits] != '.') return std::nullopt;
  int64_t base_offset = 0;
  for (const char c : name.substr(0, kDigits)) {
    if (c < '0' || c > '9') return std::nullopt;
    if (__builtin_mul_overflow(base_offset, 10, &base_offset) ||
        __builtin_add_overflow(base_offset, c - '0', &base_offset)) {
      return std::nullopt;
    }
  }
  return SegmentFileName{base_offset, std::string(name.substr(kDigits))};
}

}  // namespace millrace::log
