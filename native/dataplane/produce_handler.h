// ProduceHandler: the Produce requests of one reactor. Gathers what came together, appends it with
// one call a partition, answers or parks. Runs on the reactor's own thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/context.h"
#include "dataplane/produce_purgatory.h"
#include "dataplane/produce_request.h"

namespace millrace::dataplane {

class ProduceHandler {
 public:
  ProduceHandler(Context& context, net::Reactor& reactor);

  // Adds a request to those that will be appended together. The frame must stay until Append().
  // False: it is malformed, close the connection.
  bool Gather(const RequestHeader& header, std::span<uint8_t> frame, const ReplyTo& reply_to);
  bool gathered() const { return !gathered_.requests.empty(); }
  // Appends all that is gathered and answers or parks each request.
  void Append();

  // Partitions that got records since the last call; their waiters are not woken yet.
  std::vector<std::shared_ptr<Partition>>& appended() { return appended_; }
  ProducePurgatory& purgatory() { return purgatory_; }

 private:
  // A batch on its way to a log.
  struct Reference {
    Partition* partition;
    size_t place;  // In gathered_.partitions; ascending is request order.
    int16_t version;
  };

  void CollectReferences();
  // Appends the run of one partition's batches.
  void AppendRun(std::span<const Reference> run);
  void Answer(const ProduceRequest& request);
  // Tells the committer; returns how many partitions the answer must wait for.
  size_t RequestFlushes(const ProduceRequest& request, std::span<ProducePartition> partitions);

  Context& context_;
  net::Reactor& reactor_;
  ProducePurgatory purgatory_;
  GatheredProduces gathered_;
  std::vector<std::shared_ptr<Partition>> appended_;
  std::vector<Reference> references_;  // Scratch, keeps its capacity.
  std::vector<log::AppendJob> jobs_;   // Scratch, keeps its capacity.
};

}  // namespace millrace::dataplane
