#include "dataplane/partition_table.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "dataplane/fake_log.h"
#include "dataplane/wire_messages.h"
#include "io/posix_file_system.h"

namespace millrace::dataplane {
namespace {

struct Maker {
  std::shared_ptr<Partition> operator()(const std::string& topic, int32_t index, uint8_t id) {
    return std::make_shared<Partition>(PartitionName{topic, TestUuid(id), index}, dir,
                                       std::make_shared<FakeLog>(), 1);
  }
  io::PosixFileSystem file_system;
  std::shared_ptr<log::LogDir> dir = std::make_shared<log::LogDir>(file_system, "/nowhere");
};

}  // namespace

TEST_CASE("partitions are found by name, id and log until they are removed") {
  Maker make;
  PartitionTable table;
  const auto partition = make("orders", 3, 1);
  REQUIRE(table.Insert(partition));
  CHECK_FALSE(table.Insert(make("orders", 3, 1)));
  CHECK(table.Find("orders", 3) == partition);
  CHECK(table.FindById(TestUuid(1), 3).partition == partition);
  CHECK(table.FindByLog(&partition->log()) == partition);
  for (const int32_t index : {-1, 0, 2, 4, INT32_MAX, INT32_MIN}) {
    CHECK(table.Find("orders", index) == nullptr);
    CHECK(table.FindById(TestUuid(1), index).error == KafkaError::kUnknownTopicOrPartition);
  }
  CHECK(table.Find("order", 3) == nullptr);
  CHECK(table.FindById(Uuid{}, 3).error == KafkaError::kUnknownTopicId);

  CHECK(table.Remove("orders", 3) == partition);
  CHECK(partition->removed());
  CHECK(table.Remove("orders", 3) == nullptr);
  CHECK(table.Remove("nope", 0) == nullptr);
  CHECK(table.Find("orders", 3) == nullptr);
  CHECK(table.FindById(TestUuid(1), 3).error == KafkaError::kUnknownTopicId);
  CHECK(table.FindByLog(&partition->log()) == nullptr);
  CHECK(table.Snapshot().empty());
}

TEST_CASE("a topic made anew is found by its new id only") {
  Maker make;
  PartitionTable table;
  table.Insert(make("orders", 0, 1));
  table.Remove("orders", 0);
  table.Insert(make("orders", 0, 2));
  CHECK(table.FindById(TestUuid(1), 0).error == KafkaError::kUnknownTopicId);
  CHECK(table.FindById(TestUuid(2), 0).partition != nullptr);
}

TEST_CASE("activity is taken once") {
  Maker make;
  PartitionTable table;
  table.Insert(make("orders", 0, 1));
  table.Insert(make("orders", 1, 1));
  CHECK(table.TakeActive().size() == 2);  // New ones are due.
  CHECK(table.TakeActive().empty());
  table.Find("orders", 1)->MarkActive();
  CHECK(table.TakeActive().size() == 1);
}

TEST_CASE("many read while partitions come and go") {
  Maker make;
  PartitionTable table;
  table.Insert(make("stays", 0, 9));
  std::atomic<bool> stop{false};
  std::atomic<int> missed{0};
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        missed += table.Find("stays", 0) == nullptr;
        table.FindById(TestUuid(1), 5);
        table.Find("orders", 5);
      }
    });
  }
  for (int round = 0; round < 50; ++round) {
    for (int32_t i = 0; i < 8; ++i) table.Insert(make("orders", i, 1));
    for (int32_t i = 0; i < 8; ++i) table.Remove("orders", i);
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
  CHECK(missed == 0);
}

}  // namespace millrace::dataplane
