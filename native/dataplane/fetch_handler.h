// FetchHandler: the Fetch requests of one reactor: sessions, the wait for enough bytes, answers.
//
// A session lives on the reactor that opened it; its id tells which. A fetch that comes for it
// over a connection of another reactor is carried there whole, and the answer is carried back.
// Everything here runs on the reactor's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/context.h"
#include "dataplane/fetch_reader.h"
#include "dataplane/fetch_request.h"
#include "dataplane/fetch_session_cache.h"
#include "dataplane/parked_request.h"
#include "dataplane/request_header.h"

namespace millrace::dataplane {

struct ParkedTag;
struct WokenTag;
class FetchHandler;

// A fetch that waits for min bytes.
class ParkedFetch final : public ParkedRequest,
                          public ListNode<ParkedTag>,
                          public ListNode<WokenTag> {
 public:
  explicit ParkedFetch(FetchHandler& owner) : handler(owner) {}
  void OnTimer() override;
  void Cancel() override;

  FetchHandler& handler;
  std::shared_ptr<FetchSession> session;
  FetchParameters parameters;
  size_t available_bytes = 0;  // Of all its partitions.
  bool forced = false;         // Answer with what there is.
};

class FetchHandler {
 public:
  FetchHandler(Context& context, net::Reactor& reactor, uint64_t seed);
  ~FetchHandler();

  // Answers, parks or forwards a request. False: it is malformed, close the connection.
  bool Handle(const RequestHeader& header, std::span<uint8_t> frame, const ReplyTo& reply_to);
  // A fetch that another reactor carried here. `frame` was read there already.
  void HandleForwarded(std::span<uint8_t> frame, const ReplyTo& reply_to);

  // A partition changed: looks who waits for it. Then, once for all changes of a tick:
  void OnChanged(Partition& partition);
  void AnswerWoken();

  // Answers everyone who waits: the broker stops.
  void AnswerAll();
  // Drops what was forwarded for a connection that is gone.
  void CancelForwarded(uint64_t connection_id);
  // The end of a wait, from the timer; and a wait for nobody.
  void Expire(ParkedFetch& parked);
  void Drop(ParkedFetch& parked);

  size_t sessions() const { return cache_.size(); }
  size_t parked() const { return parked_count_; }

 private:
  struct Gathered {
    size_t bytes = 0;
    bool complete = false;
  };

  // Cuts request_ to what the client's quota can ever give.
  void ApplyQuota(const RequestHeader& header);
  // Answers with nothing where answers_ would take the client over its quota. True: it did.
  bool IsThrottled(const FetchSession& session, const FetchParameters& parameters,
                   const ReplyTo& reply_to);
  // Both serve request_.
  void StartFull(const ReplyTo& reply_to);
  void StartIncremental(const ReplyTo& reply_to);
  void Serve(const std::shared_ptr<FetchSession>& session, const FetchParameters& parameters,
             const ReplyTo& reply_to);
  void CloseSession(int32_t session_id);
  void Forward(size_t home, std::span<uint8_t> frame, const ReplyTo& reply_to);
  void Supersede(ParkedFetch& parked, const ReplyTo& newcomer);

  // Reads what there is into answers_.
  Gathered Gather(FetchSession& session, const FetchParameters& parameters);
  void Answer(const std::shared_ptr<FetchSession>& session, const FetchParameters& parameters,
              const ReplyTo& reply_to);
  void RememberTold(FetchSession& session, const FetchParameters& parameters);
  void Park(const std::shared_ptr<FetchSession>& session, const FetchParameters& parameters,
            const ReplyTo& reply_to, size_t available_bytes);
  // Answers a parked fetch if it is complete or forced, and ends its wait.
  void TryFinish(ParkedFetch& parked);
  // Whether the change of one of its partitions may have completed it.
  static bool IsReady(ParkedFetch& parked, FetchEntry& entry);
  void Reply(const ReplyTo& reply_to, net::Response response);

  Context& context_;
  net::Reactor& reactor_;
  const size_t index_;
  FetchReader reader_;
  FetchSessionCache cache_;
  IntrusiveList<ParkedFetch, ParkedTag> parked_;  // Owns them.
  IntrusiveList<ParkedFetch, WokenTag> woken_;
  size_t parked_count_ = 0;
  FetchRequest request_;                  // Scratch, keeps its capacity.
  std::vector<PartitionAnswer> answers_;  // Scratch, keeps its capacity.
};

}  // namespace millrace::dataplane
