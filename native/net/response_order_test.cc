// Places against a plain model, and what must be ignored.
#include "net/response_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "net/loopback_fixture.h"

namespace millrace::net {

TEST_CASE("responses come out in the order of their places, each once") {
  std::mt19937 random(3);
  ResponseOrder order;
  std::vector<uint64_t> open;
  uint64_t reserved = 0;
  uint64_t taken = 0;
  for (int step = 0; step < 20'000; step++) {
    if (random() % 2 == 0 && open.size() < 200) {
      open.push_back(order.Reserve());
      CHECK(open.back() == reserved++);
    } else if (!open.empty()) {
      const size_t pick = random() % open.size();
      const uint64_t place = open[pick];
      open.erase(open.begin() + static_cast<ptrdiff_t>(pick));
      CHECK(order.Fill(place, TextResponse(std::to_string(place))));
      CHECK(!order.Fill(place, TextResponse("again")));
    }
    while (std::optional<Response> ready = order.TakeReady()) {
      CHECK(ready->pieces[0].bytes == EncodeFrame(std::to_string(taken)));
      taken++;
    }
    CHECK(order.in_flight() == reserved - taken);
    if (order.in_flight() == 0) CHECK(order.waiting_bytes() == 0);
  }
  CHECK(taken > 1000);
}

TEST_CASE("unknown places are ignored") {
  ResponseOrder order;
  CHECK(!order.Fill(0, Response{}));
  const uint64_t place = order.Reserve();
  CHECK(!order.Fill(place + 1, Response{}));
  CHECK(order.Fill(place, Response{}));
  CHECK(order.TakeReady().has_value());
  CHECK(!order.Fill(place, Response{}));
  CHECK(!order.TakeReady().has_value());
}

}  // namespace millrace::net
