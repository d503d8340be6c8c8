#include "log/leader_epoch_cache.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace millrace::log {
namespace {

// Reads whitespace-separated integers.
class NumberReader {
 public:
  explicit NumberReader(std::string_view text) : text_(text) { SkipSpace(); }

  template <class Integer>
  bool Read(Integer& value) {
    const char* end = text_.data() + text_.size();
    const auto [stop, error] = std::from_chars(text_.data(), end, value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<size_t>(stop - text_.data()));
    const bool separated = text_.empty() || IsSpace(text_.front());
    SkipSpace();
    return separated;
  }
  bool AtEnd() const { return text_.empty(); }

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
  void SkipSpace() {
    while (!text_.empty() && IsSpace(text_.front())) text_.remove_prefix(1);
  }
  std::string_view text_;
};

}  // namespace

bool LeaderEpochCache::Assign(int32_t epoch, int64_t start_offset) {
  if (epoch < 0 || start_offset < 0) return false;
  if (!entries_.empty()) {
    const EpochStart& last = entries_.back();
    if (last.epoch == epoch && last.start_offset <= start_offset) return false;
  }
  std::erase_if(entries_, [&](const EpochStart& entry) {
    return entry.epoch >= epoch || entry.start_offset >= start_offset;
  });
  entries_.push_back({epoch, start_offset});
  return true;
}

bool LeaderEpochCache::TruncateFromEnd(int64_t end_offset) {
  return std::erase_if(entries_, [&](const EpochStart& entry) {
           return entry.start_offset >= end_offset;
         }) > 0;
}

bool LeaderEpochCache::TruncateFromStart(int64_t start_offset) {
  const auto after = std::find_if(entries_.begin(), entries_.end(), [&](const EpochStart& entry) {
    return entry.start_offset > start_offset;
  });
  if (after == entries_.begin()) return false;
  const auto kept = std::prev(after);
  const bool changed = kept != entries_.begin() || kept->start_offset < start_offset;
  kept->start_offset = start_offset;
  entries_.erase(entries_.begin(), kept);
  return changed;
}

EpochEndOffset LeaderEpochCache::EndOffsetFor(int32_t epoch, int64_t log_end_offset) const {
  if (epoch < 0 || entries_.empty() || epoch > LatestEpoch()) return {-1, -1};
  if (epoch == LatestEpoch()) return {epoch, log_end_offset};
  const auto higher = std::find_if(entries_.begin(), entries_.end(),
                                   [&](const EpochStart& entry) { return entry.epoch > epoch; });
  if (higher == entries_.begin()) return {epoch, higher->start_offset};
  return {std::prev(higher)->epoch, higher->start_offset};
}

int32_t LeaderEpochCache::EpochFor(int64_t offset) const {
  int32_t epoch = -1;
  for (const EpochStart& entry : entries_) {
    if (entry.start_offset > offset) break;
    epoch = entry.epoch;
  }
  return epoch;
}

std::string LeaderEpochCache::ToText() const {
  std::string text = "0\n" + std::to_string(entries_.size()) + "\n";
  for (const EpochStart& entry : entries_) {
    text += std::to_string(entry.epoch) + " " + std::to_string(entry.start_offset) + "\n";
  }
  return text;
}

std::optional<LeaderEpochCache> LeaderEpochCache::FromText(std::span<const uint8_t> text) {
  NumberReader reader({reinterpret_cast<const char*>(text.data()), text.size()});
  LeaderEpochCache cache;
  if (reader.AtEnd()) return cache;
  int32_t version = 0;
  int64_t count = 0;
  if (!reader.Read(version) || version != 0 || !reader.Read(count)) return std::nullopt;
  for (int64_t i = 0; i < count; ++i) {
    EpochStart entry;
    if (!reader.Read(entry.epoch) || !reader.Read(entry.start_offset)) return std::nullopt;
    cache.Assign(entry.epoch, entry.start_offset);
  }
  if (!reader.AtEnd() || count < 0) return std::nullopt;
  return cache;
}

}  // namespace millrace::log
