// What an append of a given size costs through the mapped window and through pwritev: the figures
// behind kMappedAppendBelow (docs/decisions/0001-append-threshold.md). Uses the log's own LogFile.
//
//   append_bench FOLDER [MEGABYTES]     FOLDER on the disk to measure; MEGABYTES a run (256)
//
// Prints CPU seconds (user and system, of all threads) per 10^9 bytes, the smallest of three runs.
// Fill the page cache first, or the figures are the hypervisor's.
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "io/posix_file_system.h"
#include "log/log_file.h"

namespace millrace {
namespace {

constexpr uint64_t kSegment = uint64_t{1} << 30;
constexpr size_t kSizes[] = {256,  512,   1024,  2048,  4096,   5120,   6144,   7168,
                             8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576};

double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Run {
  std::string path;
  uint64_t bytes = 0;
  size_t append_size = 0;
  bool mapped = false;
  bool populate = false;  // Populates ahead once per 256 KiB, as Tick does once a second.
};

// Appends until `bytes` are written; returns CPU seconds per 10^9 bytes, or a negative number on
// failure.
double Measure(const Run& run, const std::vector<uint8_t>& source) {
  io::PosixFileSystem files;
  (void)files.Remove(run.path);
  auto file = files.Open(run.path, io::OpenMode::kCreate);
  if (!file.ok()) return -1;
  log::LogFile log(file.Take(), 0, run.mapped ? SIZE_MAX : 0);
  uint64_t position = 0;
  uint64_t next_populate = 0;
  size_t from = 0;
  const double start = CpuSeconds();
  while (position < run.bytes) {
    if (!log.Reserve(position + run.append_size, kSegment).ok()) return -1;
    if (from + run.append_size > source.size()) from = 0;
    const iovec piece{const_cast<uint8_t*>(source.data() + from), run.append_size};
    if (!log.Write(position, std::span(&piece, 1), run.append_size).ok()) return -1;
    from += run.append_size;
    position += run.append_size;
    if (run.populate && position >= next_populate) {
      const log::LogFile::Ahead ahead = log.TakeAhead();
      if (ahead.window) ahead.window->Populate(ahead.offset, 256 << 10);
      next_populate = position + (256 << 10);
    }
  }
  const double used = CpuSeconds() - start;
  return used / (static_cast<double>(position) / 1e9);
}

double Best(const Run& run, const std::vector<uint8_t>& source) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) best = std::min(best, Measure(run, source));
  return best;
}

}  // namespace
}  // namespace millrace

int main(int argc, char** argv) {
  using millrace::Best;
  using millrace::kSizes;
  if (argc < 2) {
    std::fprintf(stderr, "usage: append_bench FOLDER [MEGABYTES]\n");
    return 2;
  }
  const std::string path = std::string(argv[1]) + "/append-bench.log";
  const uint64_t bytes = static_cast<uint64_t>(argc > 2 ? std::atol(argv[2]) : 256) << 20;
  const std::vector<uint8_t> source(4 << 20, 0x5A);
  std::printf("%10s %10s %12s %10s   CPU s/GB\n", "bytes", "mapped", "populated", "pwritev");
  for (const size_t size : kSizes) {
    const uint64_t total = size < 1024 ? bytes / 4 : bytes;
    const double mapped = Best({path, total, size, true, false}, source);
    const double populated = Best({path, total, size, true, true}, source);
    const double written = Best({path, total, size, false, false}, source);
    std::printf("%10zu %10.3f %12.3f %10.3f\n", size, mapped, populated, written);
  }
  return std::remove(path.c_str()) == 0 ? 0 : 1;
}
