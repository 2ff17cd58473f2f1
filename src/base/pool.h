#pragma once
// A fixed set of threads that share out loops by index, never by who is first.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace pliant {

class Pool {
 public:
  /// `threads` in all, the caller included.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  /// work(thread, first, end): thread t gets the t-th of equal parts of 0 … n - 1. Returns when all are done.
  /// While the caller waits for others it calls `meanwhile` every `period`, where given.
  void run(int n, const std::function<void(int thread, int first, int end)>& work,
           std::chrono::milliseconds period = std::chrono::milliseconds(0),
           const std::function<void()>& meanwhile = {});

 private:
  void serve(int thread);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  const std::function<void(int, int, int)>* work_ = nullptr;
  int n_ = 0, busy_ = 0;
  long turn_ = 0;
  bool stop_ = false;
};

}  // namespace pliant
