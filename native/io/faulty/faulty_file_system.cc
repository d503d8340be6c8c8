#include "io/faulty/faulty_file_system.h"

#include <cerrno>

#include "io/faulty/memory_file.h"
#include "io/faulty/memory_inode.h"
#include "io/posix_file_system.h"

namespace millrace::io {
namespace {

std::string Folder(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

}  // namespace

void FaultyFileSystem::FailNth(Operation kind, uint64_t nth, int os_error) {
  const std::lock_guard lock(mutex_);
  const auto index = static_cast<size_t>(kind);
  faults_[index] = Fault{counts_[index] + nth, os_error};
}

void FaultyFileSystem::ClearFaults() {
  const std::lock_guard lock(mutex_);
  faults_ = {};
}

uint64_t FaultyFileSystem::Count(Operation kind) const {
  const std::lock_guard lock(mutex_);
  return counts_[static_cast<size_t>(kind)];
}

void FaultyFileSystem::SetCapacity(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  capacity_ = bytes;
}

void FaultyFileSystem::SetNowMs(int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  now_ms_ = now_ms;
}

Status FaultyFileSystem::Step(Operation kind, const char* action, const std::string& path) {
  for (const auto index : {static_cast<size_t>(kind), static_cast<size_t>(Operation::kAny)}) {
    if (++counts_[index] != faults_[index].at) continue;
    return OsError(faults_[index].os_error, action, path);
  }
  return Status::Ok();
}

Status FaultyFileSystem::Reserve(uint64_t more_bytes, const std::string& path) {
  uint64_t used = more_bytes;
  for (const auto& [name, inode] : names_) used += inode->size();
  if (used > capacity_) return OsError(ENOSPC, "allocate space for", path);
  return Status::Ok();
}

void FaultyFileSystem::Apply(const NameChange& change, Names& names) {
  for (const auto& [name, inode] : change.sets) {
    if (inode) {
      names[name] = inode;
    } else {
      names.erase(name);
    }
  }
}

void FaultyFileSystem::Change(NameChange change) {
  Apply(change, names_);
  pending_.push_back(std::move(change));
}

void FaultyFileSystem::Crash(CrashKeeps keeps, uint64_t seed) {
  const std::lock_guard lock(mutex_);
  std::mt19937_64 random(seed);
  const size_t kept = keeps == CrashKeeps::kNothing ? 0 : random() % (pending_.size() + 1);
  for (size_t i = 0; i < kept; ++i) Apply(pending_[i], durable_names_);
  pending_.clear();
  names_ = durable_names_;
  for (const auto& [name, inode] : names_) {
    if (keeps == CrashKeeps::kNothing) {
      inode->CrashToSynced();
    } else {
      inode->CrashToSubset(random);
    }
  }
  faults_ = {};
  ++generation_;
}

Result<std::unique_ptr<File>> FaultyFileSystem::Open(const std::string& path, OpenMode mode) {
  const std::lock_guard lock(mutex_);
  Status step = Step(Operation::kOpen, "open", path);
  if (!step.ok()) return step.error();
  auto found = names_.find(path);
  if (found == names_.end()) {
    if (mode != OpenMode::kCreate) return OsError(ENOENT, "open", path);
    auto inode = std::make_shared<MemoryInode>();
    inode->modified_ms = now_ms_;
    Change(NameChange{{{path, inode}}, Folder(path)});
    found = names_.find(path);
  }
  return std::unique_ptr<File>(std::make_unique<MemoryFile>(*this, found->second, path));
}

Result<bool> FaultyFileSystem::Exists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return names_.contains(path) || folders_.contains(path);
}

Result<std::vector<std::string>> FaultyFileSystem::List(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const auto& [name, inode] : names_) {
    if (Folder(name) == path) names.push_back(name.substr(path.size() + 1));
  }
  return names;
}

Status FaultyFileSystem::MakeDir(const std::string& path) {
  const std::lock_guard lock(mutex_);
  folders_[path] = true;
  return Status::Ok();
}

Status FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  Status step = Step(Operation::kRename, "rename", from);
  if (!step.ok()) return step;
  const auto found = names_.find(from);
  if (found == names_.end()) return OsError(ENOENT, "rename", from);
  Change(NameChange{{{to, found->second}, {from, nullptr}}, Folder(to)});
  return Status::Ok();
}

Status FaultyFileSystem::Remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  Status step = Step(Operation::kRemove, "remove", path);
  if (!step.ok()) return step;
  if (names_.contains(path)) Change(NameChange{{{path, nullptr}}, Folder(path)});
  return Status::Ok();
}

Status FaultyFileSystem::SyncDir(const std::string& path) {
  const std::lock_guard lock(mutex_);
  Status step = Step(Operation::kSyncDir, "sync the folder", path);
  if (!step.ok()) return step;
  std::vector<NameChange> others;
  for (NameChange& change : pending_) {
    if (change.folder == path) {
      Apply(change, durable_names_);
    } else {
      others.push_back(std::move(change));
    }
  }
  pending_ = std::move(others);
  return Status::Ok();
}

Result<int64_t> FaultyFileSystem::ModifiedMs(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(path);
  if (found == names_.end()) return OsError(ENOENT, "look at", path);
  return found->second->modified_ms;
}

}  // namespace millrace::io
