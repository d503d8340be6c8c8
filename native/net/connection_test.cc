// A connection over real loopback sockets: frames in, responses out in request order, and what
// closes or pauses it.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "net/loopback_fixture.h"

namespace millrace::net {

namespace {

// An unlinked file of the given bytes.
Descriptor FileOf(const std::string& bytes) {
  Descriptor file(memfd_create("millrace-net-test", MFD_CLOEXEC));
  REQUIRE(file.valid());
  REQUIRE(pwrite(file.get(), bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  return file;
}

std::string Pattern(size_t size) {
  std::string text(size, 'E');
  for (size_t i = 1; i < size; i++) text[i] = static_cast<char>('a' + (i * 31 + i / 4099) % 26);
  return text;
}

}  // namespace

TEST_CASE("responses leave in request order, whatever order they are filled in") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  // Parked frames are released in reverse order; an unanswered one (acks=0) sends no bytes.
  for (const char* text : {"P1", "E2", "N", "P3", "E4", "P5"}) client.SendFrame(text);
  client.SendFrame("R");
  for (const char* text : {"P1", "E2", "P3", "E4", "P5", "R"}) CHECK(client.ReceiveFrame() == text);
}

TEST_CASE("a muted connection is answered at once and read only later") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  const SystemClock clock;
  const int64_t start_ms = clock.MonotonicMs();
  client.SendFrame("T300");
  CHECK(client.ReceiveFrame() == "T300");
  const size_t calls = pool.observed().CallCount();
  client.SendFrame("E1");
  pool.Settle();
  CHECK((pool.observed().CallCount() == calls || clock.MonotonicMs() - start_ms >= 300));
  CHECK(client.ReceiveFrame() == "E1");
  CHECK(clock.MonotonicMs() - start_ms >= 300);
  // A client that leaves while it is muted leaves nothing behind.
  client.SendFrame("T100");
  CHECK(client.ReceiveFrame() == "T100");
  client.Close();
  CHECK(Eventually([&] { return pool.pool().counters().connections_open == 0; }));
}

TEST_CASE("frames that arrive together are handled in one call") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  std::vector<uint8_t> burst;
  for (int i = 0; i < 1000; i++) {
    const std::vector<uint8_t> frame = EncodeFrame("E" + std::to_string(i));
    burst.insert(burst.end(), frame.begin(), frame.end());
  }
  client.SendRaw(burst.data(), burst.size());
  for (int i = 0; i < 1000; i++) CHECK(client.ReceiveFrame() == "E" + std::to_string(i));
  CHECK(pool.observed().CallCount() < 50);
}

TEST_CASE("a frame may arrive byte by byte, and its memory goes when it is complete") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  for (int round = 0; round < 3; round++) {
    for (const uint8_t byte : EncodeFrame("E slow")) {
      client.SendRaw(&byte, 1);
      pool.Settle();
    }
    CHECK(client.ReceiveFrame() == "E slow");
  }
  CHECK(pool.ReceiveBytesHeld() == 0);
}

TEST_CASE("large frames come through unchanged") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  for (const size_t size : {100'000u, 1'000'000u, 1'048'700u, 5'000'000u, 1'000'000u, 10u}) {
    const std::string text = Pattern(size);
    client.SendFrame(text);
    CHECK(client.ReceiveFrame() == text);
  }
  CHECK(pool.ReceiveBytesHeld() == 0);
}

TEST_CASE("an announced size takes no memory before its bytes arrive") {
  LoopbackPool pool(NetOptions{});
  std::vector<std::unique_ptr<Client>> clients;
  const uint8_t size[] = {0x06, 0x40, 0x00, 0x00};  // 104,857,600
  for (int i = 0; i < 100; i++) {
    clients.push_back(std::make_unique<Client>(pool.port()));
    clients.back()->SendRaw(size, sizeof(size));
  }
  REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received == 400; }));
  pool.Settle();
  CHECK(pool.ReceiveBytesHeld() <= 100 * 512);

  // With more bytes the memory grows, but only in proportion.
  const std::string part(50'000, 'x');
  clients[0]->SendRaw(part.data(), part.size());
  REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received == 50'400; }));
  pool.Settle();
  CHECK(pool.ReceiveBytesHeld() <= 100 * 512 + 4 * part.size());
  clients.clear();
  REQUIRE(Eventually([&] { return pool.pool().counters().connections_open == 0; }));
  pool.Settle();
  CHECK(pool.ReceiveBytesHeld() == 0);
}

TEST_CASE("bytes that are no Kafka frame close the connection with a hint, logged once") {
  const std::string negative("\xff\xff\xff\xff", 4);
  const std::string zero(4, '\0');
  const std::string oversized("\x06\x40\x00\x01", 4);
  const std::string http = "GET /metrics HTTP/1.1\r\n\r\n";
  const std::string tls("\x16\x03\x01\x02\x00\x01\x00", 7);
  struct Case {
    const std::string& bytes;
    const char* hint;
  };
  for (const Case& each :
       {Case{http, "HTTP request"}, Case{tls, "TLS handshake"}, Case{negative, "frame size -1"},
        Case{zero, "frame size 0"}, Case{oversized, "socket.request.max.bytes"}}) {
    LoopbackPool fresh(NetOptions{});
    for (int repeat = 0; repeat < 3; repeat++) {
      Client client(fresh.port());
      client.SendRaw(each.bytes.data(), each.bytes.size());
      CHECK(client.SeesClose());
    }
    const std::vector<std::string> lines = fresh.observed().LogLines();
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find(each.hint) != std::string::npos);
    CHECK(fresh.pool().counters().bad_frames == 3);
  }
}

TEST_CASE("frames before a bad one are still handled") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  std::vector<uint8_t> bytes = EncodeFrame("N");
  bytes.insert(bytes.end(), {0xff, 0xff, 0xff, 0xff});
  client.SendRaw(bytes.data(), bytes.size());
  CHECK(client.SeesClose());
  CHECK(pool.observed().CallCount() == 1);
}

TEST_CASE("file ranges are sent between bytes, byte for byte") {
  const std::string bytes = Pattern(6'000'000);
  const Descriptor file = FileOf(bytes);
  LoopbackPool pool(NetOptions{}, file.get());
  Client client(pool.port());
  client.SendFrame("F0,10");
  client.SendFrame("E between");
  client.SendFrame("F12345,5000000");
  client.SendFrame("E after");
  CHECK(client.ReceiveFrame() == bytes.substr(0, 10));
  CHECK(client.ReceiveFrame() == "E between");
  CHECK(client.ReceiveFrame() == bytes.substr(12345, 5'000'000));
  CHECK(client.ReceiveFrame() == "E after");
}

TEST_CASE("a file that is shorter than promised closes the connection") {
  const Descriptor file = FileOf("short");
  LoopbackPool pool(NetOptions{}, file.get());
  Client client(pool.port());
  client.SendFrame("F0,100");
  CHECK(client.ReceiveFrame() == "<closed>");
  REQUIRE(Eventually([&] { return pool.observed().CloseCount() == 1; }));
  CHECK(pool.observed().CloseReasons()[0].find("file ended") != std::string::npos);
}

TEST_CASE("a response may close the connection once it was sent") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  client.SendFrame("P1");
  client.SendFrame("C last");
  client.SendFrame("E never");
  Client other(pool.port());
  REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received >= 25; }));
  other.SendFrame("R");
  CHECK(other.ReceiveFrame() == "R");
  CHECK(client.ReceiveFrame() == "P1");
  CHECK(client.ReceiveFrame() == "C last");
  CHECK(client.ReceiveFrame() == "<closed>");
}

TEST_CASE("a handler can close a connection in the middle of its frames") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  client.SendFrame("X");
  client.SendFrame("E");
  CHECK(client.SeesClose());
  REQUIRE(Eventually([&] { return pool.observed().CloseCount() == 1; }));
  CHECK(pool.observed().CloseReasons()[0] == "asked to");
}

TEST_CASE("a client that does not read its responses is not read from") {
  NetOptions options;
  options.unsent_bytes_max = 1 << 20;
  options.send_buffer_bytes = 64 << 10;
  LoopbackPool pool(options);
  Client client(pool.port(), 64 << 10);
  // Each 1 kB request asks for 200 kB. Without back pressure all of them would be taken.
  const std::string request = "B200000" + std::string(1000, ' ');
  constexpr size_t kRequests = 200;
  std::vector<uint8_t> burst;
  for (size_t i = 0; i < kRequests; i++) {
    const std::vector<uint8_t> frame = EncodeFrame(request);
    burst.insert(burst.end(), frame.begin(), frame.end());
  }
  // A few at a time, so that one receive cannot take all.
  size_t sent = 0;
  while (sent < burst.size()) {
    const ssize_t count = send(client.socket(), burst.data() + sent,
                               std::min<size_t>(burst.size() - sent, request.size() + 4),
                               MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count <= 0) break;
    sent += static_cast<size_t>(count);
    if (sent < 40 * request.size()) pool.Settle();
  }
  pool.Settle();
  const uint64_t taken = pool.pool().counters().bytes_received;
  CHECK(taken < sent / 2);
  CHECK(taken < 40 * request.size());
  // It goes on as soon as the client reads.
  for (size_t i = 0; i < sent / (request.size() + 4); i++) {
    REQUIRE(client.ReceiveFrame().size() == 200'000);
  }
}

TEST_CASE("reading pauses while too many requests await their response") {
  NetOptions options;
  options.requests_in_flight_max = 4;
  LoopbackPool pool(options);
  Client client(pool.port());
  for (int i = 0; i < 4; i++) client.SendFrame("P" + std::to_string(i));
  REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received == 24; }));
  pool.Settle();
  client.SendFrame("E4");
  pool.Settle();
  CHECK(pool.pool().counters().bytes_received == 24);
  Client other(pool.port());
  other.SendFrame("R");
  for (int i = 0; i < 4; i++) CHECK(client.ReceiveFrame() == "P" + std::to_string(i));
  CHECK(client.ReceiveFrame() == "E4");
}

TEST_CASE("SetReading pauses and resumes a connection") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  client.SendFrame("E1");
  CHECK(client.ReceiveFrame() == "E1");
  const uint64_t id = pool.observed().connected[0];
  Reactor& reactor = pool.pool().ReactorOf(id);
  reactor.Post([&] { reactor.FindConnection(id)->SetReading(false); });
  pool.Settle();
  client.SendFrame("E2");
  pool.Settle();
  CHECK(pool.pool().counters().bytes_received == 6);
  reactor.Post([&] { reactor.FindConnection(id)->SetReading(true); });
  CHECK(client.ReceiveFrame() == "E2");
}

TEST_CASE("the last requests of a client that finishes its side are still taken") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  for (int i = 0; i < 100; i++) client.SendFrame("N" + std::string(50'000, 'x'));
  shutdown(client.socket(), SHUT_WR);
  CHECK(client.SeesClose());
  CHECK(pool.pool().counters().bytes_received == 100 * 50'005);
  REQUIRE(Eventually([&] { return pool.pool().counters().connections_open == 0; }));
}

}  // namespace millrace::net
