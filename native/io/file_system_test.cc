// Protects both file systems: the same contract on disk and in memory, and the crash and fault
// model that the log's tests rest on.
#include <doctest/doctest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "io/faulty/faulty_file_system.h"
#include "io/file_lock.h"
#include "io/posix_file_system.h"

namespace millrace::io {
namespace {

// A folder that is removed with what the tests put in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    char pattern[] = "/tmp/millrace-io-XXXXXX";
    path_ = ::mkdtemp(pattern);
  }
  ~TemporaryFolder() {
    PosixFileSystem files;
    Result<std::vector<std::string>> names = files.List(path_);
    for (const std::string& name : names.value()) (void)files.Remove(path_ + "/" + name);
    ::rmdir(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Status Write(File& file, uint64_t position, const std::string& text) {
  const iovec piece{const_cast<char*>(text.data()), text.size()};
  return file.WriteAt(position, std::span(&piece, 1));
}

std::string ReadAll(File& file) {
  std::string text(static_cast<size_t>(file.Size().value()), '\0');
  Result<size_t> read =
      file.ReadAt(0, std::span(reinterpret_cast<uint8_t*>(text.data()), text.size()));
  text.resize(read.value());
  return text;
}

void CheckContract(FileSystem& files, const std::string& folder) {
  REQUIRE(files.MakeDir(folder).ok());
  REQUIRE(files.MakeDir(folder).ok());
  const std::string path = folder + "/a";
  CHECK(files.Open(path, OpenMode::kReadWrite).error().code == ErrorCode::kNotFound);
  auto file = files.Open(path, OpenMode::kCreate).Take();
  REQUIRE(Write(*file, 0, "hello").ok());
  REQUIRE(Write(*file, 8, "x").ok());
  CHECK(ReadAll(*file) == std::string("hello\0\0\0x", 9));

  uint8_t buffer[16];
  CHECK(file->ReadAt(7, buffer).value() == 2);
  CHECK(file->ReadAt(100, buffer).value() == 0);

  REQUIRE(file->Allocate(10'000).ok());
  CHECK(file->Size().value() == 10'000);
  CHECK(ReadAll(*file).substr(0, 9) == std::string("hello\0\0\0x", 9));
  REQUIRE(file->Allocate(5).ok());
  CHECK(file->Size().value() == 10'000);
  {
    auto map = file->Map(4096, 4096).Take();
    map->Populate(10, 3000);
    std::memcpy(map->data(), "mapped", 6);
    CHECK(file->ReadAt(4096, std::span(buffer, 6)).value() == 6);
    CHECK(std::memcmp(buffer, "mapped", 6) == 0);
  }
  REQUIRE(file->Sync().ok());
  file->StartWriteback();
  REQUIRE(file->Truncate(3).ok());
  CHECK(ReadAll(*file) == "hel");

  std::vector<iovec> pieces;
  std::string parts = "abcdefgh";
  for (size_t i = 0; i < 2000; ++i) pieces.push_back({parts.data() + i % 8, 1});
  REQUIRE(file->WriteAt(0, std::span(pieces).first(1000)).ok());
  CHECK(ReadAll(*file).substr(0, 16) == "abcdefghabcdefgh");

  REQUIRE(files.Rename(path, folder + "/b").ok());
  CHECK_FALSE(files.Exists(path).value());
  CHECK(files.Exists(folder + "/b").value());
  CHECK(files.List(folder).value() == std::vector<std::string>{"b"});
  REQUIRE(files.SyncDir(folder).ok());
  CHECK(files.ModifiedMs(folder + "/b").ok());
  REQUIRE(files.Remove(folder + "/b").ok());
  REQUIRE(files.Remove(folder + "/b").ok());
  CHECK(files.List(folder).value().empty());
}

TEST_CASE("the file system of Linux keeps the contract") {
  TemporaryFolder folder;
  PosixFileSystem files;
  CheckContract(files, folder.path());
  auto file = files.Open(folder.path() + "/big", OpenMode::kCreate).Take();
  std::vector<iovec> pieces;
  char byte = 'z';
  for (size_t i = 0; i < 3000; ++i) pieces.push_back({&byte, 1});  // More than IOV_MAX.
  REQUIRE(file->WriteAt(0, pieces).ok());
  CHECK(file->Size().value() == 3000);
}

TEST_CASE("the file system in memory keeps the same contract") {
  FaultyFileSystem files;
  CheckContract(files, "/logs");
}

TEST_CASE("fallocate gives a file its blocks, so that a mapped page cannot lack one") {
  TemporaryFolder folder;
  PosixFileSystem files;
  auto file = files.Open(folder.path() + "/a", OpenMode::kCreate).Take();
  REQUIRE(file->Allocate(1 << 20).ok());
  struct stat info {};
  REQUIRE(::fstat(file->descriptor(), &info) == 0);
  CHECK(info.st_blocks * 512 >= 1 << 20);
}

TEST_CASE("one lock holder at a time, also within a process") {
  TemporaryFolder folder;
  const std::string path = folder.path() + "/.lock";
  auto first = LockFile(path);
  REQUIRE(first.ok());
  CHECK(LockFile(path).error().code == ErrorCode::kLocked);
  CHECK(LockFile(path).error().code == ErrorCode::kLocked);
  first.value().reset();
  CHECK(LockFile(path).ok());
  CHECK(LockFile(folder.path() + "/absent/.lock").error().code == ErrorCode::kNotFound);
}

TEST_CASE("a crash drops bytes and names that were not synced") {
  FaultyFileSystem files;
  REQUIRE(files.MakeDir("/d").ok());
  auto kept = files.Open("/d/kept", OpenMode::kCreate).Take();
  REQUIRE(Write(*kept, 0, "old").ok());
  REQUIRE(kept->Sync().ok());
  REQUIRE(files.SyncDir("/d").ok());
  REQUIRE(Write(*kept, 0, "newer").ok());
  auto lost = files.Open("/d/lost", OpenMode::kCreate).Take();
  REQUIRE(lost->Sync().ok());
  REQUIRE(files.Rename("/d/kept", "/d/renamed").ok());
  files.Crash(CrashKeeps::kNothing, 0);
  CHECK(files.List("/d").value() == std::vector<std::string>{"kept"});
  CHECK(Write(*kept, 0, "dead").error().code == ErrorCode::kClosed);
  CHECK(ReadAll(*files.Open("/d/kept", OpenMode::kReadOnly).value()) == "old");
}

TEST_CASE("a crash may keep any pages that were not synced") {
  bool kept_both = false;
  bool kept_second_only = false;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    FaultyFileSystem files;
    auto file = files.Open("/d/a", OpenMode::kCreate).Take();
    REQUIRE(file->Allocate(8192).ok());
    REQUIRE(file->Sync().ok());
    REQUIRE(files.SyncDir("/d").ok());
    REQUIRE(Write(*file, 0, "first").ok());
    REQUIRE(Write(*file, 4096, "second").ok());
    files.Crash(CrashKeeps::kRandomSubset, seed);
    const std::string text = ReadAll(*files.Open("/d/a", OpenMode::kReadOnly).value());
    const bool first = text.substr(0, 5) == "first";
    const bool second = text.substr(4096, 6) == "second";
    kept_both = kept_both || (first && second);
    kept_second_only = kept_second_only || (!first && second);
  }
  CHECK(kept_both);
  CHECK(kept_second_only);
}

TEST_CASE("the n-th operation fails once; a failed write leaves half of its bytes") {
  FaultyFileSystem files;
  auto file = files.Open("/d/a", OpenMode::kCreate).Take();
  files.FailNth(Operation::kWrite, 2, EIO);
  REQUIRE(Write(*file, 0, "....").ok());
  const Status failed = Write(*file, 0, "abcd");
  CHECK(failed.error().code == ErrorCode::kIo);
  CHECK(failed.error().os_error == EIO);
  CHECK(ReadAll(*file) == "ab..");
  CHECK(Write(*file, 0, "abcd").ok());
  files.FailNth(Operation::kSync, 1, ENOSPC);
  CHECK(file->Sync().error().code == ErrorCode::kNoSpace);
  files.SetCapacity(10);
  CHECK(file->Allocate(11).error().code == ErrorCode::kNoSpace);
  CHECK(file->Size().value() == 4);
  CHECK(file->Allocate(10).ok());
}

}  // namespace
}  // namespace millrace::io
