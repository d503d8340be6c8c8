// Names of the files of a partition folder: the base offset in 20 digits, then a suffix
// (docs/log-format.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace millrace::log {

inline constexpr std::string_view kLogSuffix = ".log";
inline constexpr std::string_view kIndexSuffix = ".index";
inline constexpr std::string_view kTimeIndexSuffix = ".timeindex";
inline constexpr std::string_view kTxnIndexSuffix = ".txnindex";
inline constexpr std::string_view kSnapshotSuffix = ".snapshot";
inline constexpr std::string_view kDeletedSuffix = ".deleted";
inline constexpr std::string_view kCleanedSuffix = ".cleaned";
inline constexpr std::string_view kSwapSuffix = ".swap";
inline constexpr std::string_view kTemporarySuffix = ".tmp";

// "<directory>/00000000000000001234<suffix>".
std::string SegmentPath(const std::string& directory, int64_t base_offset, std::string_view suffix);

struct SegmentFileName {
  int64_t base_offset = 0;
  std::string suffix;  // From the first dot on, e.g. ".log" or ".index.swap".
};

// Nullopt for names that are not 20 digits, a dot and something.
std::optional<SegmentFileName> ParseSegmentFileName(std::string_view name);

}  // namespace millrace::log
