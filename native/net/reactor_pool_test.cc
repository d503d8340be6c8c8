// The pool: limits, timers, tasks from other threads, draining and stopping.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "net/connection_limits.h"
#include "net/loopback_fixture.h"

namespace millrace::net {

TEST_CASE("tasks from many threads run on the reactor's thread, each thread's in order") {
  LoopbackPool pool(NetOptions{});
  constexpr int kThreads = 4;
  constexpr int kTasks = 2000;
  std::vector<std::vector<int>> seen(kThreads);
  std::set<std::thread::id> ran_on;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; thread++) {
    threads.emplace_back([&, thread] {
      for (int i = 0; i < kTasks; i++) {
        pool.pool().reactor(0).Post([&, thread, i] {
          seen[static_cast<size_t>(thread)].push_back(i);
          ran_on.insert(std::this_thread::get_id());
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  pool.Settle();
  for (const std::vector<int>& each : seen) {
    CHECK(each.size() == kTasks);
    CHECK(std::is_sorted(each.begin(), each.end()));
  }
  CHECK(ran_on.size() == 1);
  CHECK(ran_on.count(std::this_thread::get_id()) == 0);
}

TEST_CASE("a timer fires, and a cancelled one does not") {
  class CountingTimer final : public Timer {
   public:
    void OnTimer() override { fired++; }
    std::atomic<int> fired = 0;
  };
  LoopbackPool pool(NetOptions{});
  CountingTimer kept;
  CountingTimer cancelled;
  Reactor& reactor = pool.pool().reactor(0);
  reactor.Post([&] {
    reactor.Arm(cancelled, 5);
    reactor.Arm(kept, 10);
    reactor.Cancel(cancelled);
  });
  CHECK(Eventually([&] { return kept.fired == 1; }));
  pool.Settle();
  CHECK(cancelled.fired == 0);
}

TEST_CASE("connections spread over the reactors and are found by their ids") {
  NetOptions options;
  options.reactors = 3;
  LoopbackPool pool(options);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 9; i++) {
    clients.push_back(std::make_unique<Client>(pool.port()));
    clients.back()->SendFrame("E" + std::to_string(i));
    CHECK(clients.back()->ReceiveFrame() == "E" + std::to_string(i));
  }
  const std::set<uint64_t> ids(pool.observed().connected.begin(), pool.observed().connected.end());
  CHECK(ids.size() == 9);
  std::vector<int> per_reactor(3);
  for (const uint64_t id : ids) {
    Reactor& reactor = pool.pool().ReactorOf(id);
    per_reactor[static_cast<size_t>(reactor.index())]++;
    std::atomic<bool> found = false;
    reactor.Post([&] {
      Connection* connection = reactor.FindConnection(id);
      found = connection != nullptr && connection->listener() == 7;
    });
    pool.Settle(static_cast<size_t>(reactor.index()));
    CHECK(found);
  }
  CHECK(per_reactor == std::vector<int>{3, 3, 3});
  CHECK(pool.pool().counters().connections_open == 9);
}

TEST_CASE("a connection without traffic is closed, one that awaits its response is not") {
  NetOptions options;
  options.connections_max_idle_ms = 50;
  LoopbackPool pool(options);
  Client idle(pool.port());
  Client parked(pool.port());
  parked.SendFrame("P waits");
  CHECK(idle.SeesClose());
  // Long enough for the parked one to be closed as well, were it to be.
  for (int i = 0; i < 3; i++) CHECK(Client(pool.port()).SeesClose());
  CHECK(Eventually([&] { return pool.pool().counters().connections_open == 1; }));
  Client other(pool.port());
  other.SendFrame("R");
  CHECK(parked.ReceiveFrame() == "P waits");
  CHECK(parked.SeesClose());
}

TEST_CASE("a client that takes no response is closed after the idle time") {
  NetOptions options;
  options.connections_max_idle_ms = 50;
  options.send_buffer_bytes = 32 << 10;
  LoopbackPool pool(options);
  Client client(pool.port(), 32 << 10);
  client.SendFrame("B20000000");
  REQUIRE(Eventually([&] { return pool.observed().CloseCount() == 1; }));
  CHECK(pool.observed().CloseReasons()[0].find("took no response") != std::string::npos);
}

TEST_CASE("connections over the limits are closed at once and counted") {
  NetOptions options;
  SUBCASE("of the broker") { options.connection_maxima.connections = 2; }
  SUBCASE("of the address") { options.connection_maxima.connections_per_ip = 2; }
  LoopbackPool pool(options);
  Client first(pool.port());
  auto second = std::make_unique<Client>(pool.port());
  for (int i = 0; i < 3; i++) CHECK(Client(pool.port()).SeesClose());
  CHECK(pool.pool().counters().connections_refused == 3);
  CHECK(pool.observed().LogLines().size() == 1);
  // A place that becomes free is given again.
  second.reset();
  REQUIRE(Eventually([&] { return pool.pool().counters().connections_open == 1; }));
  Client third(pool.port());
  third.SendFrame("E");
  CHECK(third.ReceiveFrame() == "E");
}

TEST_CASE("an address that connects too fast is closed, after a while") {
  NetOptions options;
  options.quota_windows = {1001, 100};
  LoopbackPool pool(options);
  ConnectionRates rates;
  SUBCASE("by the rate of all") { rates.per_ip = 0.02; }
  SUBCASE("by its own rate") {
    rates.per_ip = 1000;
    rates.of_address = {{"127.0.0.1", 0.02}, {"host.example", 1}};
  }
  pool.pool().ChangeRates(rates);
  // Two in a hundred seconds.
  Client first(pool.port());
  Client second(pool.port());
  CHECK(Client(pool.port()).SeesClose());
  for (Client* client : {&first, &second}) {
    client->SendFrame("E");
    CHECK(client->ReceiveFrame() == "E");
  }
  pool.pool().ChangeRates(ConnectionRates{});
  Client third(pool.port());
  third.SendFrame("E");
  CHECK(third.ReceiveFrame() == "E");
}

TEST_CASE("addresses that fell silent are not measured any longer") {
  ConnectionLimits limits(ConnectionMaxima{}, QuotaWindows{2, 1000});
  limits.ChangeRates({1, {}});
  IpBytes ip{};
  for (int64_t i = 0; i < 10'000; i++) {
    ip[0] = static_cast<uint8_t>(i);
    ip[1] = static_cast<uint8_t>(i >> 8);
    CHECK(limits.Admit(ip, i * 10).admission == Admission::kAdmitted);
    limits.Release(ip);
  }
  CHECK(limits.measured_addresses() < 3000);
}

TEST_CASE("limits change while connections are open, and an address may have its own") {
  LoopbackPool pool(NetOptions{});
  const Client first(pool.port());
  REQUIRE(Eventually([&] { return pool.pool().counters().connections_open == 1; }));
  ConnectionMaxima maxima;
  SUBCASE("of the broker") { maxima.connections = 1; }
  SUBCASE("of the address") { maxima.of_address = {{"127.0.0.1", 1}, {"host.example", 0}}; }
  pool.pool().ChangeLimits(maxima);
  CHECK(Client(pool.port()).SeesClose());
  pool.pool().ChangeLimits(ConnectionMaxima{});
  Client second(pool.port());
  second.SendFrame("E");
  CHECK(second.ReceiveFrame() == "E");
}

TEST_CASE("out of descriptors, accepting pauses with one log line, and then goes on") {
  LoopbackPool pool(NetOptions{});
  // The client has the lowest free descriptor: with the limit just above it, none is left.
  Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  const rlimit used_up{static_cast<rlim_t>(socket.get()) + 1, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &used_up);
  Client client(pool.port(), std::move(socket));
  client.SendFrame("E late");
  const bool logged = Eventually([&] { return !pool.observed().LogLines().empty(); });
  usleep(250'000);
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(logged);
  CHECK(pool.observed().LogLines().size() == 1);
  CHECK(client.ReceiveFrame() == "E late");
}

TEST_CASE("a taken port is refused with a sentence that says what to do") {
  LoopbackPool pool(NetOptions{});
  const auto again = pool.pool().Listen("127.0.0.1", pool.port(), 0);
  REQUIRE(!again.ok());
  CHECK(again.error().code == ErrorCode::kIo);
  CHECK(again.error().message.find("address in use") != std::string::npos);
  CHECK(!pool.pool().Listen("no such host.invalid", 0, 0).ok());
}

TEST_CASE("StopListening frees the port and leaves the connections") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  client.SendFrame("E1");
  CHECK(client.ReceiveFrame() == "E1");
  pool.pool().StopListening();
  const auto again = pool.pool().Listen("127.0.0.1", pool.port(), 0);
  CHECK(again.ok());
  client.SendFrame("E2");
  CHECK(client.ReceiveFrame() == "E2");
}

TEST_CASE("Drain waits for parked requests and takes no new ones") {
  LoopbackPool pool(NetOptions{});
  Client client(pool.port());
  client.SendFrame("P1");
  Client other(pool.port());
  other.SendFrame("E");
  CHECK(other.ReceiveFrame() == "E");
  REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received == 11; }));
  CHECK(!pool.pool().Drain(20));
  other.SendFrame("E not taken");
  pool.Settle();
  CHECK(pool.pool().counters().bytes_received == 11);

  std::thread releasing([&] {
    usleep(20'000);
    const uint64_t id = pool.observed().connected[0];
    Reactor& reactor = pool.pool().ReactorOf(id);
    reactor.Post([&reactor, id] { reactor.FindConnection(id)->Respond(0, TextResponse("P1")); });
  });
  CHECK(pool.pool().Drain(10'000));
  releasing.join();
  CHECK(client.ReceiveFrame() == "P1");
}

TEST_CASE("Stop under load closes every connection, drops late tasks and may be repeated") {
  for (int round = 0; round < 5; round++) {
    NetOptions options;
    options.reactors = 2;
    LoopbackPool pool(options);
    std::atomic<bool> stopped = false;
    std::vector<std::unique_ptr<Client>> clients;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++) {
      clients.push_back(std::make_unique<Client>(pool.port()));
      threads.emplace_back([&stopped, client = clients.back().get()] {
        client->SendFrame("P parked");
        while (!stopped) client->SendFrame("E" + std::string(5000, 'x'));
      });
    }
    threads.emplace_back([&] {
      while (!stopped) pool.pool().reactor(1).Post([] {});
    });
    REQUIRE(Eventually([&] { return pool.pool().counters().bytes_received > 100'000; }));
    pool.pool().Stop();
    stopped = true;
    for (std::thread& thread : threads) thread.join();
    pool.pool().Stop();
    CHECK(pool.observed().CloseCount() == pool.observed().connected.size());
    CHECK(pool.pool().counters().connections_open == 0);
    CHECK(!pool.pool().Listen("127.0.0.1", 0, 0).ok());
    CHECK(pool.pool().Drain(0));
  }
}

TEST_CASE("IPv6 and all interfaces can be listened on") {
  LoopbackPool pool(NetOptions{});
  const auto everywhere = pool.pool().Listen("", 0, 1);
  REQUIRE(everywhere.ok());
  Client client(everywhere.value());
  client.SendFrame("E");
  CHECK(client.ReceiveFrame() == "E");
  // A machine without IPv6 answers with an error, not with a crash.
  const auto v6 = pool.pool().Listen("::1", 0, 2);
  if (!v6.ok()) CHECK(v6.error().message.find("[::1]") != std::string::npos);
}

}  // namespace millrace::net
