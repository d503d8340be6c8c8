#include "log/partition_folder.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>

#include "log/batch_scanner.h"
#include "log/segment_file_name.h"

namespace millrace::log {
namespace {

constexpr std::array<std::string_view, 4> kSegmentSuffixes = {kLogSuffix, kIndexSuffix,
                                                              kTimeIndexSuffix, kTxnIndexSuffix};

bool EndsWith(const std::string& name, std::string_view suffix) {
  return std::string_view(name).ends_with(suffix);
}

std::string Path(const std::string& directory, const std::string& name) {
  return directory + "/" + name;
}

// The offset after the last batch of a log file.
Result<int64_t> NextOffset(io::FileSystem& file_system, const std::string& path, int64_t base) {
  Result<std::unique_ptr<io::File>> file = file_system.Open(path, io::OpenMode::kReadOnly);
  if (!file.ok()) return file.error();
  Result<uint64_t> size = file.value()->Size();
  if (!size.ok()) return size.error();
  std::array<uint8_t, 4096> buffer;
  BatchScanner scanner(*file.value(), 0, size.value(), buffer);
  int64_t next = base;
  while (true) {
    Result<ScanStep> step = scanner.Next();
    if (!step.ok()) return step.error();
    if (step.value() != ScanStep::kBatch) return next;
    next = scanner.batch().last_offset() + 1;
  }
}

// Swaps win over regular files, except those from the smallest .cleaned file on: their renaming had
// not finished.
class SwapResolver {
 public:
  SwapResolver(io::FileSystem& file_system, const std::string& directory,
               const std::vector<std::string>& names)
      : file_system_(file_system), directory_(directory), names_(names) {}

  Status Run() {
    Status done = DropUnfinished();
    if (done.ok() && !swaps_.empty()) done = RemoveReplaced();
    for (const std::string& name : swaps_) {
      if (!done.ok()) break;
      const std::string target = name.substr(0, name.size() - kSwapSuffix.size());
      done = file_system_.Rename(Path(directory_, name), Path(directory_, target));
    }
    if (done.ok() && !swaps_.empty()) done = file_system_.SyncDir(directory_);
    return done;
  }

 private:
  Status DropUnfinished() {
    int64_t first_cleaned = std::numeric_limits<int64_t>::max();
    for (const std::string& name : names_) {
      const std::optional<SegmentFileName> parsed = ParseSegmentFileName(name);
      if (parsed && EndsWith(name, kCleanedSuffix)) {
        first_cleaned = std::min(first_cleaned, parsed->base_offset);
      }
    }
    for (const std::string& name : names_) {
      const std::optional<SegmentFileName> parsed = ParseSegmentFileName(name);
      if (!parsed || !EndsWith(name, kSwapSuffix)) continue;
      if (parsed->base_offset < first_cleaned) {
        swaps_.push_back(name);
        continue;
      }
      Status removed = file_system_.Remove(Path(directory_, name));
      if (!removed.ok()) return removed;
    }
    return Status::Ok();
  }

  Status RemoveReplaced() {
    int64_t low = std::numeric_limits<int64_t>::max();
    int64_t high = 0;
    for (const std::string& name : swaps_) {
      const std::optional<SegmentFileName> parsed = ParseSegmentFileName(name);
      if (parsed->suffix != std::string(kLogSuffix) + std::string(kSwapSuffix)) continue;
      Result<int64_t> next = NextOffset(file_system_, Path(directory_, name), parsed->base_offset);
      if (!next.ok()) return next.error();
      low = std::min(low, parsed->base_offset);
      high = std::max(high, next.value());
    }
    for (const std::string& name : names_) {
      const std::optional<SegmentFileName> parsed = ParseSegmentFileName(name);
      if (!parsed || parsed->base_offset < low || parsed->base_offset >= high) continue;
      if (std::find(kSegmentSuffixes.begin(), kSegmentSuffixes.end(), parsed->suffix) ==
          kSegmentSuffixes.end()) {
        continue;
      }
      Status removed = file_system_.Remove(Path(directory_, name));
      if (!removed.ok()) return removed;
    }
    return Status::Ok();
  }

  io::FileSystem& file_system_;
  const std::string& directory_;
  const std::vector<std::string>& names_;
  std::vector<std::string> swaps_;
};

PartitionFolder Sort(const std::vector<std::string>& names) {
  PartitionFolder folder;
  for (const std::string& name : names) {
    const std::optional<SegmentFileName> parsed = ParseSegmentFileName(name);
    if (!parsed) continue;
    if (parsed->suffix == kLogSuffix) folder.segments.insert(parsed->base_offset);
    if (parsed->suffix == kIndexSuffix) folder.offset_indexes.insert(parsed->base_offset);
    if (parsed->suffix == kTimeIndexSuffix) folder.time_indexes.insert(parsed->base_offset);
    if (parsed->suffix == kSnapshotSuffix) folder.snapshots.insert(parsed->base_offset);
  }
  return folder;
}

Status RemoveOrphanIndexes(io::FileSystem& file_system, const std::string& directory,
                           PartitionFolder& folder) {
  const auto sweep = [&](std::set<int64_t>& indexes, std::string_view suffix) {
    for (auto it = indexes.begin(); it != indexes.end();) {
      if (folder.segments.contains(*it)) {
        ++it;
        continue;
      }
      Status removed = file_system.Remove(SegmentPath(directory, *it, suffix));
      if (!removed.ok()) return removed;
      it = indexes.erase(it);
    }
    return Status::Ok();
  };
  Status swept = sweep(folder.offset_indexes, kIndexSuffix);
  return swept.ok() ? sweep(folder.time_indexes, kTimeIndexSuffix) : swept;
}

}  // namespace

Result<PartitionFolder> TidyPartitionFolder(io::FileSystem& file_system,
                                            const std::string& directory) {
  Status made = file_system.MakeDir(directory);
  if (!made.ok()) return made.error();
  Result<std::vector<std::string>> names = file_system.List(directory);
  if (!names.ok()) return names.error();
  Status done = SwapResolver(file_system, directory, names.value()).Run();
  for (const std::string& name : names.value()) {
    const bool leftover = EndsWith(name, kDeletedSuffix) || EndsWith(name, kCleanedSuffix) ||
                          EndsWith(name, kTemporarySuffix);
    if (done.ok() && leftover) done = file_system.Remove(Path(directory, name));
  }
  if (!done.ok()) return done.error();
  names = file_system.List(directory);
  if (!names.ok()) return names.error();
  PartitionFolder folder = Sort(names.value());
  done = RemoveOrphanIndexes(file_system, directory, folder);
  if (!done.ok()) return done.error();
  return folder;
}

Status RemoveSegmentFiles(io::FileSystem& file_system, const std::string& directory,
                          int64_t base_offset) {
  for (const std::string_view suffix : kSegmentSuffixes) {
    Status removed = file_system.Remove(SegmentPath(directory, base_offset, suffix));
    if (!removed.ok()) return removed;
  }
  return file_system.Remove(SegmentPath(directory, base_offset, kSnapshotSuffix));
}

Status SetSegmentFilesAside(io::FileSystem& file_system, const std::string& directory,
                            int64_t base_offset) {
  for (const std::string_view suffix : kSegmentSuffixes) {
    const std::string path = SegmentPath(directory, base_offset, suffix);
    Result<bool> exists = file_system.Exists(path);
    if (!exists.ok()) return exists.error();
    if (!exists.value()) continue;
    Status renamed = file_system.Rename(path, path + std::string(kDeletedSuffix));
    if (!renamed.ok()) return renamed;
  }
  return Status::Ok();
}

Status RemoveFilesSetAside(io::FileSystem& file_system, const std::string& directory,
                           int64_t base_offset) {
  for (const std::string_view suffix : kSegmentSuffixes) {
    const std::string path = SegmentPath(directory, base_offset, suffix);
    Status removed = file_system.Remove(path + std::string(kDeletedSuffix));
    if (!removed.ok()) return removed;
  }
  return Status::Ok();
}

}  // namespace millrace::log
