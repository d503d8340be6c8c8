#include "dataplane/fetch_handler.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "dataplane/fetch_response.h"
#include "dataplane/generated_fetch_request.h"

namespace millrace::dataplane {
namespace {

constexpr int16_t kTopicIdsSince = 13;

int32_t NextEpoch(int32_t epoch) {
  return epoch == std::numeric_limits<int32_t>::max() ? 1 : epoch + 1;
}

}  // namespace

void ParkedFetch::OnTimer() { handler.Expire(*this); }
void ParkedFetch::Cancel() { handler.Drop(*this); }

FetchHandler::FetchHandler(Context& context, net::Reactor& reactor, uint64_t seed)
    : context_(context),
      reactor_(reactor),
      index_(static_cast<size_t>(reactor.index())),
      reader_(context.partitions),
      cache_({static_cast<size_t>(std::max(context.options.fetch_session_slots_max, 0)), index_,
              context.mailboxes.size(), seed}) {}

FetchHandler::~FetchHandler() {
  while (ParkedFetch* parked = parked_.front()) delete parked;
}

bool FetchHandler::Handle(const RequestHeader& header, std::span<uint8_t> frame,
                          const ReplyTo& reply_to) {
  if (!DecodeFetch(header, frame, context_.options.fetch_bytes_max, request_)) return false;
  ApplyQuota(header);
  if (request_.parameters.mode != FetchMode::kIncremental) {
    // A full fetch closes the session it names.
    if (request_.session_id > 0) CloseSession(request_.session_id);
    StartFull(reply_to);
    return true;
  }
  const size_t home = FetchSessionCache::ShardOf(request_.session_id, context_.mailboxes.size());
  if (home == index_) {
    StartIncremental(reply_to);
  } else {
    Forward(home, frame, reply_to);
  }
  return true;
}

void FetchHandler::ApplyQuota(const RequestHeader& header) {
  FetchParameters& parameters = request_.parameters;
  // Replicas have no client quota.
  parameters.metered = context_.quotas.active(ByteRateKind::kFetch) && parameters.replica_id < 0;
  if (!parameters.metered) return;
  parameters.client_id = header.client_id;
  const auto most = context_.quotas.WindowBytes(ByteRateKind::kFetch, header.client_id);
  // More would be over the quota even after a silence, and the client would never get anything.
  if (!most.has_value()) return;
  parameters.max_bytes = std::min(parameters.max_bytes, *most);
  parameters.min_bytes = std::min(parameters.min_bytes, parameters.max_bytes);
}

bool FetchHandler::IsThrottled(const FetchSession& session, const FetchParameters& parameters,
                               const ReplyTo& reply_to) {
  const int64_t throttle_ms = context_.quotas.RecordUnlessThrottled(
      ByteRateKind::kFetch, parameters.client_id, RecordBytes(answers_), reactor_.monotonic_ms());
  if (throttle_ms <= 0) return false;
  answers_.clear();
  Reply(reply_to, BuildThrottledFetch(parameters, session.id, throttle_ms));
  return true;
}

void FetchHandler::Forward(size_t home, std::span<uint8_t> frame, const ReplyTo& reply_to) {
  if (reply_to.connection != nullptr) {
    auto& forwarded = StateOf(*reply_to.connection).forwarded_to;
    if (std::find(forwarded.begin(), forwarded.end(), home) == forwarded.end()) {
      forwarded.push_back(home);
    }
  }
  const ReplyTo back{nullptr, reply_to.connection_id, reply_to.place};
  context_.mailboxes[home]->PostTask(
      [&context = context_, home, back,
       copy = std::vector<uint8_t>(frame.begin(), frame.end())]() mutable {
        context.fetch_handlers[home]->HandleForwarded(copy, back);
      });
}

void FetchHandler::HandleForwarded(std::span<uint8_t> frame, const ReplyTo& reply_to) {
  const auto key = ReadRequestKey(frame);
  if (!key.has_value()) return;
  const auto header =
      ReadRequestHeader(frame, key->api_version >= wire::kFetchRequestFlexibleSince);
  if (header.has_value()) Handle(*header, frame, reply_to);
}

void FetchHandler::CloseSession(int32_t session_id) {
  const size_t home = FetchSessionCache::ShardOf(session_id, context_.mailboxes.size());
  if (home == index_) {
    cache_.Remove(session_id);
    return;
  }
  context_.mailboxes[home]->PostTask([&context = context_, home, session_id] {
    context.fetch_handlers[home]->cache_.Remove(session_id);
  });
}

void FetchHandler::StartFull(const ReplyTo& reply_to) {
  const FetchParameters& parameters = request_.parameters;
  auto session = std::make_shared<FetchSession>(parameters.version >= kTopicIdsSince);
  for (const FetchPartitionRequest& partition : request_.partitions) session->Append(partition);
  if (parameters.mode == FetchMode::kFull) session->BuildIndex();
  Serve(session, parameters, reply_to);
}

void FetchHandler::StartIncremental(const ReplyTo& reply_to) {
  FetchParameters& parameters = request_.parameters;
  const auto refuse = [&](KafkaError error) {
    Reply(reply_to, BuildFetchError(parameters, error));
  };
  const std::shared_ptr<FetchSession> session = cache_.Find(request_.session_id);
  if (session == nullptr) return refuse(KafkaError::kFetchSessionIdNotFound);
  if (session->epoch != request_.session_epoch)
    return refuse(KafkaError::kInvalidFetchSessionEpoch);
  if (session->uses_topic_ids != (parameters.version >= kTopicIdsSince)) {
    return refuse(KafkaError::kFetchSessionTopicIdError);
  }
  if (session->parked != nullptr) Supersede(*session->parked, reply_to);
  for (const FetchPartitionRequest& partition : request_.partitions) session->Put(partition);
  for (const FetchKey& key : request_.forgotten) session->Forget(key);
  if (session->size() == 0) {
    cache_.Remove(session->id);
    session->id = 0;
    parameters.mode = FetchMode::kSessionless;
  } else {
    cache_.Touch(*session, reactor_.monotonic_ms());
    session->epoch = NextEpoch(session->epoch);
  }
  Serve(session, parameters, reply_to);
}

// The next fetch of a session came while one waits. Over the same connection it is pipelined: the
// first is answered with what there is. Over another one Kafka answers the first that its epoch is
// past.
void FetchHandler::Supersede(ParkedFetch& parked, const ReplyTo& newcomer) {
  if (parked.reply_to.connection_id == newcomer.connection_id) {
    parked.forced = true;
    TryFinish(parked);
    return;
  }
  const ReplyTo reply_to = parked.reply_to;
  net::Response response =
      BuildFetchError(parked.parameters, KafkaError::kInvalidFetchSessionEpoch);
  Drop(parked);
  Reply(reply_to, std::move(response));
}

void FetchHandler::Serve(const std::shared_ptr<FetchSession>& session,
                         const FetchParameters& parameters, const ReplyTo& reply_to) {
  const bool may_wait =
      parameters.max_wait_ms > 0 && !context_.draining.load(std::memory_order_relaxed);
  Gathered gathered = Gather(*session, parameters);
  if (!gathered.complete && may_wait && !session->watching) {
    // Watch first, then look again: what came in between is seen, what comes later wakes.
    session->WatchAll(index_);
    gathered = Gather(*session, parameters);
  }
  if (gathered.complete || !may_wait) {
    Answer(session, parameters, reply_to);
  } else {
    Park(session, parameters, reply_to, gathered.bytes);
  }
}

FetchHandler::Gathered FetchHandler::Gather(FetchSession& session,
                                            const FetchParameters& parameters) {
  const bool incremental = parameters.mode == FetchMode::kIncremental;
  answers_.clear();
  Gathered gathered;
  size_t bytes_left = parameters.max_bytes;
  bool first = true;
  FetchEntry* next = nullptr;
  FetchEntry* entry = incremental ? session.FirstActive() : session.First();
  for (; entry != nullptr; entry = next) {
    next = incremental ? session.NextActive(entry) : session.Next(entry);
    PartitionAnswer answer = reader_.Read(*entry, parameters, bytes_left, first);
    const size_t size = answer.slice.size;
    entry->available_bytes = size;
    gathered.bytes += size;
    bytes_left -= std::min(size, bytes_left);
    if (size > 0) first = false;
    // Waiting on is pointless: a full partition cannot get fuller, nor can a full response.
    const bool full = size > 0 && size >= entry->max_bytes;
    gathered.complete |= answer.urgent() || answer.held_back || full;
    const bool news = answer.error != KafkaError::kNone || answer.diverging() || size > 0 ||
                      answer.high_watermark != entry->told_high_watermark ||
                      answer.log_start_offset != entry->told_log_start_offset;
    if (incremental && !news) {
      if (!answer.held_back) session.Deactivate(*entry);
      continue;
    }
    answers_.push_back(std::move(answer));
    if (incremental && !first && bytes_left == 0) break;
  }
  gathered.complete |= gathered.bytes >= parameters.min_bytes;
  // Partitions that are not here do not end the wait of others, but alone they do not wait.
  gathered.complete |= session.unresolved == session.size();
  return gathered;
}

void FetchHandler::Answer(const std::shared_ptr<FetchSession>& session,
                          const FetchParameters& parameters, const ReplyTo& reply_to) {
  if (parameters.metered && IsThrottled(*session, parameters, reply_to)) return;
  if (parameters.mode == FetchMode::kFull && cache_.Add(session, reactor_.monotonic_ms())) {
    session->WatchAll(index_);
  }
  if (session->id != 0) RememberTold(*session, parameters);
  const FetchResponseOptions options{context_.options.small_read_bytes_max,
                                     context_.options.node_id};
  Reply(reply_to, BuildFetchResponse(parameters, session->id, answers_, options));
  answers_.clear();  // Lets go of the segments.
}

// What the response says of each partition, so that later ones say only what is new; and who comes
// next.
void FetchHandler::RememberTold(FetchSession& session, const FetchParameters& parameters) {
  for (const PartitionAnswer& answer : answers_) {
    FetchEntry& entry = *answer.entry;
    const bool failed = answer.error != KafkaError::kNone;
    entry.told_high_watermark = failed ? -1 : answer.high_watermark;
    entry.told_log_start_offset = answer.log_start_offset;
    if (parameters.mode != FetchMode::kIncremental) continue;
    if (answer.slice.size > 0) {
      session.MoveToEnd(entry);
    } else if (!failed && !answer.diverging() && !answer.held_back) {
      session.Deactivate(entry);
    }
  }
}

void FetchHandler::Park(const std::shared_ptr<FetchSession>& session,
                        const FetchParameters& parameters, const ReplyTo& reply_to,
                        size_t available_bytes) {
  answers_.clear();
  auto* parked = new ParkedFetch(*this);
  parked->session = session;
  parked->parameters = parameters;
  parked->available_bytes = available_bytes;
  parked->reply_to = reply_to;
  session->parked = parked;
  parked_.PushBack(parked);
  ++parked_count_;
  if (reply_to.connection != nullptr) StateOf(*reply_to.connection).parked.PushBack(parked);
  reactor_.Arm(*parked, parameters.max_wait_ms);
}

void FetchHandler::Drop(ParkedFetch& parked) {
  reactor_.Cancel(parked);
  parked.session->parked = nullptr;
  --parked_count_;
  delete &parked;  // Leaves all lists by itself.
}

void FetchHandler::Expire(ParkedFetch& parked) {
  parked.forced = true;
  TryFinish(parked);
}

void FetchHandler::TryFinish(ParkedFetch& parked) {
  const Gathered gathered = Gather(*parked.session, parked.parameters);
  if (!gathered.complete && !parked.forced) {
    answers_.clear();
    parked.available_bytes = gathered.bytes;
    return;
  }
  const std::shared_ptr<FetchSession> session = parked.session;
  const FetchParameters parameters = parked.parameters;
  const ReplyTo reply_to = parked.reply_to;
  Drop(parked);
  Answer(session, parameters, reply_to);
}

void FetchHandler::OnChanged(Partition& partition) {
  WakeSlot& slot = partition.slot(index_);
  if (slot.fetches.empty()) {
    slot.Withdraw(kAppended);
    return;
  }
  for (FetchWatch* watch = slot.fetches.front(); watch != nullptr;
       watch = slot.fetches.Next(watch)) {
    auto& entry = *static_cast<FetchEntry*>(watch);
    entry.session.Activate(entry);
    ParkedFetch* parked = entry.session.parked;
    if (parked == nullptr || static_cast<ListNode<WokenTag>*>(parked)->linked()) continue;
    if (IsReady(*parked, entry)) woken_.PushBack(parked);
  }
}

bool FetchHandler::IsReady(ParkedFetch& parked, FetchEntry& entry) {
  if (entry.partition()->removed()) {
    parked.forced = true;
    return true;
  }
  const auto glimpse = FetchReader::Peek(entry, parked.parameters);
  if (glimpse != FetchReader::Glimpse::kRecords) return glimpse == FetchReader::Glimpse::kUrgent;
  if (parked.parameters.min_bytes <= 1) return true;
  const size_t available = FetchReader::AvailableBytes(entry, parked.parameters);
  parked.available_bytes += available - entry.available_bytes;
  entry.available_bytes = available;
  return available == 0 || available >= entry.max_bytes ||
         parked.available_bytes >= parked.parameters.min_bytes;
}

void FetchHandler::AnswerWoken() {
  while (ParkedFetch* parked = woken_.front()) {
    static_cast<ListNode<WokenTag>*>(parked)->Unlink();
    TryFinish(*parked);
  }
}

void FetchHandler::AnswerAll() {
  while (ParkedFetch* parked = parked_.front()) Expire(*parked);
}

void FetchHandler::CancelForwarded(uint64_t connection_id) {
  for (ParkedFetch* parked = parked_.front(); parked != nullptr;) {
    ParkedFetch* next = parked_.Next(parked);
    if (parked->reply_to.connection_id == connection_id) Drop(*parked);
    parked = next;
  }
}

void FetchHandler::Reply(const ReplyTo& reply_to, net::Response response) {
  if (reply_to.connection != nullptr) {
    reply_to.connection->Respond(reply_to.place, std::move(response));
  } else {
    context_.Deliver({reply_to.connection_id, reply_to.place, std::move(response)});
  }
}

}  // namespace millrace::dataplane
