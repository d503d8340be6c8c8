// connect: what accepting and holding connections costs.
#include "load/crowd.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "load/commands.h"
#include "load/options.h"
#include "load/usage.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

// Dialled before the first of them is read, below any backlog of listen().
constexpr int64_t kGroup = 64;

// Memory of a process that no file stands behind, in bytes.
int64_t AnonymousBytes(pid_t pid) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/status", pid);
  FILE* file = std::fopen(path, "r");
  if (file == nullptr) {
    Fail("There is no process %d to measure.", pid);
  }
  char line[256];
  long kilobytes = 0;
  while (std::fgets(line, sizeof line, file) != nullptr) {
    std::sscanf(line, "RssAnon: %ld", &kilobytes);
  }
  std::fclose(file);
  return int64_t{kilobytes} * 1024;
}

}  // namespace

Crowd OpenCrowd(const Address& address, int64_t count) {
  Crowd crowd;
  while (static_cast<int64_t>(crowd.size()) < count) {
    const size_t first = crowd.size();
    const int64_t group = std::min(kGroup, count - static_cast<int64_t>(first));
    for (int64_t at = 0; at < group; at++) {
      crowd.push_back(std::make_unique<Connection>(address));
      Encoder request;
      request.BeginRequest(kApiVersionsApi);
      crowd.back()->Send(request);
    }
    for (size_t at = first; at < crowd.size(); at++) {
      const std::string response = crowd[at]->Receive();
      if (Decoder(response).Int16() != 0) {
        Fail("ApiVersions was answered with an error.");
      }
    }
  }
  return crowd;
}

void RunConnect(int argc, char** argv) {
  const Options options(argc, argv, {"host", "port", "connections", "broker-pid"});
  const Address address{options.Text("host", "127.0.0.1"),
                        static_cast<uint16_t>(options.Number("port"))};
  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid"));
  const int64_t count = options.Number("connections");
  const int64_t memory = AnonymousBytes(pid);
  const Usage start = Usage::Now(pid);
  const Crowd crowd = OpenCrowd(address, count);
  const Usage usage = Usage::Now(pid).Since(start);
  Report report;
  report.Add("connections", count);
  usage.AddTo(report);
  report.Add("connectionsPerSecond", static_cast<double>(count) / usage.WallSeconds());
  report.Add("anonymousBytes", AnonymousBytes(pid) - memory);
  report.Print();
}

}  // namespace millrace::bench
