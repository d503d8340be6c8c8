// probe: how long until a broker answers; create: a topic, nothing else; idle: what rest costs.
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "load/commands.h"
#include "load/options.h"
#include "load/report.h"
#include "load/topic.h"
#include "load/usage.h"
#include "wire/decoder.h"
#include "wire/fail.h"

namespace millrace::bench {
namespace {

Address ReadAddress(const Options& options) {
  return {options.Text("host", "127.0.0.1"), static_cast<uint16_t>(options.Number("port"))};
}

// True when the broker at `address` accepts and answers ApiVersions without an error.
bool AnswersApiVersions(const Address& address) {
  const int fd = Connection::Dial(address);
  if (fd < 0) {
    return false;
  }
  Connection connection(fd);
  const timeval patience{.tv_sec = 1, .tv_usec = 0};
  setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  Encoder request;
  request.BeginRequest(kApiVersionsApi);
  std::string bytes;
  return connection.TryCall(request, bytes) && Decoder(bytes).Int16() == 0;
}

pid_t Start(char** command) {
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(command[0], command);
    Fail("Could not run %s.", command[0]);
  }
  return pid;
}

void Stop(pid_t pid) {
  int status = 0;
  kill(pid, SIGTERM);
  waitpid(pid, &status, 0);
}

}  // namespace

void RunProbe(int argc, char** argv) {
  const Options options(argc, argv, {"host", "port", "timeout-ms"});
  const Address address = ReadAddress(options);
  const int64_t start = MonotonicNanos();
  const int64_t deadline = start + options.Number("timeout-ms", 60'000) * 1'000'000;
  const pid_t pid = options.command() == nullptr ? 0 : Start(options.command());
  while (!AnswersApiVersions(address)) {
    const bool ended = pid != 0 && waitpid(pid, nullptr, WNOHANG) == pid;
    if (ended || MonotonicNanos() > deadline) {
      if (pid != 0 && !ended) {
        Stop(pid);
      }
      Fail("No answer on port %d: %s.", address.port,
           ended ? "the broker ended while starting" : "the time is up");
    }
    const timespec pause{0, 1'000'000};
    nanosleep(&pause, nullptr);
  }
  Report report;
  report.Add("startMs", static_cast<double>(MonotonicNanos() - start) / 1e6);
  if (pid != 0) {
    Stop(pid);
  }
  report.Print();
}

void RunCreate(int argc, char** argv) {
  const Options options(argc, argv, {"host", "port", "topic", "partitions", "configs"});
  Connection connection(ReadAddress(options));
  const int64_t partitions = options.Number("partitions", 1);
  const int64_t start = MonotonicNanos();
  EnsureTopic(connection, options.Text("topic"), static_cast<int32_t>(partitions),
              ParseConfigs(options.Text("configs", "")));
  Report report;
  report.Add("partitions", partitions);
  report.Add("createMs", static_cast<double>(MonotonicNanos() - start) / 1e6);
  report.Print();
}

void RunIdle(int argc, char** argv) {
  const Options options(argc, argv, {"broker-pid", "seconds"});
  const pid_t pid = static_cast<pid_t>(options.Number("broker-pid"));
  const Usage start = Usage::Now(pid);
  const timespec rest{options.Number("seconds"), 0};
  nanosleep(&rest, nullptr);
  Report report;
  Usage::Now(pid).Since(start).AddTo(report);
  report.Print();
}

}  // namespace millrace::bench
