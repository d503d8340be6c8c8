// ResponseOrder: the places of the requests that a connection has in flight. Places are handed out
// in request order and filled in any order; filled responses leave from the front only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "net/response.h"

namespace millrace::net {

// Bytes that a response puts on the wire, of memory and of files.
size_t SizeOf(const Response& response);

class ResponseOrder {
 public:
  uint64_t Reserve();
  // False, and nothing happens, if the place was never reserved or is filled.
  bool Fill(uint64_t place, Response response);
  // The response at the front, once filled.
  std::optional<Response> TakeReady();

  // Places reserved whose response was not taken yet.
  size_t in_flight() const { return static_cast<size_t>(end_ - begin_); }
  // Bytes of the filled responses that wait for an earlier one.
  size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  struct Place {
    Response response;
    bool filled = false;
  };

  Place& At(uint64_t place) { return ring_[place & (ring_.size() - 1)]; }
  void Grow();

  // A ring whose size is a power of two, and 0 until the first request.
  std::vector<Place> ring_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  size_t waiting_bytes_ = 0;
};

}  // namespace millrace::net
