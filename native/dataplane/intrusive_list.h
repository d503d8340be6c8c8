// IntrusiveList: a doubly linked list whose links lie in the elements, so that linking and
// unlinking allocate nothing. An element derives from ListNode<Tag> once for every list it can
// stand in. No ownership, no locks; an element leaves its list when it is destroyed.
#pragma once

#include "base/check.h"

namespace millrace::dataplane {

template <class Tag>
class ListNode {
 public:
  ListNode() = default;
  ListNode(const ListNode&) = delete;
  ListNode& operator=(const ListNode&) = delete;
  ~ListNode() { Unlink(); }

  bool linked() const { return next_ != nullptr; }
  void Unlink() {
    if (next_ == nullptr) return;
    previous_->next_ = next_;
    next_->previous_ = previous_;
    previous_ = next_ = nullptr;
  }

 private:
  template <class T, class U>
  friend class IntrusiveList;
  ListNode* previous_ = nullptr;
  ListNode* next_ = nullptr;
};

// T derives from ListNode<Tag>.
template <class T, class Tag>
class IntrusiveList {
 public:
  IntrusiveList() { head_.previous_ = head_.next_ = &head_; }
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;
  ~IntrusiveList() {
    while (!empty()) head_.next_->Unlink();
    head_.previous_ = head_.next_ = nullptr;
  }

  bool empty() const { return head_.next_ == &head_; }
  T* front() { return empty() ? nullptr : static_cast<T*>(head_.next_); }
  // The element after `element`; null at the end.
  T* Next(T* element) {
    ListNode<Tag>* next = static_cast<ListNode<Tag>*>(element)->next_;
    return next == &head_ ? nullptr : static_cast<T*>(next);
  }
  void PushBack(T* element) {
    ListNode<Tag>* node = element;
    MR_CHECK(!node->linked(), "an element stands in one list of a kind at a time");
    node->previous_ = head_.previous_;
    node->next_ = &head_;
    head_.previous_->next_ = node;
    head_.previous_ = node;
  }

 private:
  ListNode<Tag> head_;
};

}  // namespace millrace::dataplane
