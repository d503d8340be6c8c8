// Load generator of the benchmarks: speaks Kafka's protocol with frames encoded beforehand, so that
// the client's own cost does not hide the broker's. Run by bench/rows; usable by hand.
#include <string_view>

#include "load/commands.h"
#include "wire/fail.h"

namespace {

struct Command {
  std::string_view name;
  void (*run)(int argc, char** argv);
};

constexpr Command kCommands[] = {
    {"produce", millrace::bench::RunProduce}, {"fetch", millrace::bench::RunFetch},
    {"latency", millrace::bench::RunLatency}, {"probe", millrace::bench::RunProbe},
    {"create", millrace::bench::RunCreate},   {"idle", millrace::bench::RunIdle},
    {"session", millrace::bench::RunSession}, {"connect", millrace::bench::RunConnect},
    {"park", millrace::bench::RunPark},
};

}  // namespace

int main(int argc, char** argv) {
  for (const Command& command : kCommands) {
    if (argc > 1 && command.name == argv[1]) {
      command.run(argc - 2, argv + 2);
      return 0;
    }
  }
  millrace::bench::Fail(
      "Usage: load produce|fetch|latency|session|connect|park|probe|create|idle --port PORT "
      "[--name value]");
}
