// Which reads are cheaper to copy into the response than to send from the file: the figures behind
// DataPlaneOptions::small_read_bytes_max (docs/decisions/0002-small-read-copy.md). The whole data
// plane serves fetches over loopback, once with everything copied and once with nothing.
//
//   small_read_bench FOLDER [FETCHES]     FOLDER for the logs; FETCHES a run (20000)
//
// Prints CPU microseconds of the broker a fetch (user and system; the client is another process),
// the smallest of five runs, for one partition and for eight partitions a fetch.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "base/check.h"
#include "base/endian.h"
#include "dataplane/data_plane.h"
#include "io/posix_file_system.h"
#include "record/test_batch.h"

namespace millrace::dataplane {
namespace {

constexpr int32_t kPartitions = 8;
constexpr int kRounds = 5;

class NoEvents final : public DataPlaneEvents {
 public:
  void OnControlRequests() override {}
  void OnConnectionClosed(uint64_t) override {}
  void OnLogDirFailed(const std::string&, const std::string&) override {}
  void OnLogLine(int, const std::string&) override {}
};

double CpuMicroseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// Fetch version 4: `partitions` partitions from offset 0, `bytes` of each.
std::vector<uint8_t> FetchFrame(int32_t partitions, int32_t bytes) {
  std::vector<uint8_t> frame;
  ByteWriter writer(frame);
  writer.WriteI32(0);
  writer.WriteI16(1);
  writer.WriteI16(4);
  writer.WriteI32(1);
  writer.WriteString("bench", false);
  writer.WriteI32(-1);
  writer.WriteI32(0);
  writer.WriteI32(1);
  writer.WriteI32(1 << 30);
  writer.WriteI8(0);
  writer.WriteI32(1);
  writer.WriteString("bench", false);
  writer.WriteI32(partitions);
  for (int32_t i = 0; i < partitions; ++i) {
    writer.WriteI32(i);
    writer.WriteI64(0);
    writer.WriteI32(bytes);
  }
  writer.PatchI32(0, static_cast<int32_t>(frame.size() - 4));
  return frame;
}

void ReadAll(int descriptor, void* to, size_t size) {
  auto* at = static_cast<uint8_t*>(to);
  while (size > 0) {
    const ssize_t count = read(descriptor, at, size);
    MR_CHECK(count > 0, "the other side is there");
    at += count;
    size -= static_cast<size_t>(count);
  }
}

void WriteAll(int descriptor, const void* from, size_t size) {
  MR_CHECK(write(descriptor, from, size) == static_cast<ssize_t>(size), "small writes are whole");
}

struct Order {
  uint16_t port;
  int32_t partitions;
  int32_t bytes;
  int32_t fetches;
};

// The client process: carries out orders until the pipe ends.
void RunClient(int orders, int done) {
  Order order{};
  while (read(orders, &order, sizeof order) == static_cast<ssize_t>(sizeof order)) {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    const int on = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(order.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    MR_CHECK(connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0,
             "the broker listens");
    const std::vector<uint8_t> request = FetchFrame(order.partitions, order.bytes);
    std::vector<uint8_t> response;
    for (int32_t i = 0; i < order.fetches; ++i) {
      WriteAll(descriptor, request.data(), request.size());
      uint8_t size[4];
      ReadAll(descriptor, size, sizeof size);
      response.resize(LoadBe32(size));
      ReadAll(descriptor, response.data(), response.size());
    }
    close(descriptor);
    WriteAll(done, "d", 1);
  }
  _exit(0);
}

std::unique_ptr<DataPlane> StartBroker(io::FileSystem& file_system, NoEvents& events,
                                       const std::string& folder, size_t copied_max) {
  DataPlaneOptions options;
  options.small_read_bytes_max = copied_max;
  auto plane = DataPlane::Start(options, file_system, events).Take();
  MR_CHECK(file_system.MakeDir(folder).ok(), "FOLDER can be written");
  plane->AddLogDir(folder);
  std::vector<uint8_t> batch = record::TestBatch{.value_size = 1000}.Build();
  for (int32_t i = 0; i < kPartitions; ++i) {
    PartitionSpec spec;
    spec.topic = "bench";
    spec.partition = i;
    spec.log_dir = folder;
    MR_CHECK(plane->OpenPartition(spec).ok(), "FOLDER is empty");
    for (int b = 0; b < 300; ++b) {
      log::AppendJob job;
      job.records = batch.data();
      job.size = batch.size();
      plane->LogOf("bench", i)->AppendAsLeader({&job, 1}, {0, 1'000'000, 9});
      StoreBe64(batch.data(), 0);
    }
  }
  return plane;
}

int Main(const std::string& folder, int32_t fetches) {
  int orders[2];
  int done[2];
  MR_CHECK(pipe(orders) == 0 && pipe(done) == 0, "pipes");
  const pid_t client = fork();
  if (client == 0) {
    close(orders[1]);
    RunClient(orders[0], done[1]);
  }
  io::PosixFileSystem file_system;
  NoEvents events;
  const auto copying = StartBroker(file_system, events, folder + "/copy", size_t{1} << 30);
  const auto sending = StartBroker(file_system, events, folder + "/send", 0);
  const uint16_t ports[] = {copying->Listen("127.0.0.1", 0, 0).Take(),
                            sending->Listen("127.0.0.1", 0, 0).Take()};
  std::printf("partitions  bytes each   copied  sendfile   (CPU microseconds a fetch)\n");
  for (const int32_t partitions : {1, kPartitions}) {
    for (const int32_t kib : {1, 4, 8, 16, 24, 32, 48, 64, 128}) {
      double best[] = {1e9, 1e9};
      for (int round = 0; round < kRounds * 2; ++round) {
        const size_t way = static_cast<size_t>(round % 2);
        const Order order{ports[way], partitions, kib * 1024, fetches / partitions};
        const double before = CpuMicroseconds();
        WriteAll(orders[1], &order, sizeof order);
        char mark;
        ReadAll(done[0], &mark, 1);
        best[way] = std::min(best[way], (CpuMicroseconds() - before) / order.fetches);
      }
      std::printf("%10d  %6d KiB  %7.1f  %8.1f\n", partitions, kib, best[0], best[1]);
      std::fflush(stdout);
    }
  }
  close(orders[1]);
  waitpid(client, nullptr, 0);
  return 0;
}

}  // namespace
}  // namespace millrace::dataplane

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: small_read_bench FOLDER [FETCHES]\n");
    return 2;
  }
  return millrace::dataplane::Main(argv[1], argc > 2 ? std::atoi(argv[2]) : 20'000);
}
