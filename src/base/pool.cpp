// A fixed set of threads.

#include "base/pool.h"

#include <algorithm>

namespace pliant {
namespace {

int part(int n, int size, int i) { return static_cast<int>(static_cast<long long>(n) * i / size); }

}  // namespace

Pool::Pool(int threads) {
  for (int t = 1; t < std::max(threads, 1); ++t) threads_.emplace_back([this, t] { serve(t); });
}

Pool::~Pool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Pool::run(int n, const std::function<void(int, int, int)>& work, std::chrono::milliseconds period,
               const std::function<void()>& meanwhile) {
  if (threads_.empty()) return work(0, 0, n);
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    n_ = n;
    busy_ = static_cast<int>(threads_.size());
    ++turn_;
  }
  start_.notify_all();
  work(0, 0, part(n, size(), 1));
  std::unique_lock lock(mutex_);
  if (!meanwhile) return done_.wait(lock, [this] { return busy_ == 0; });
  while (!done_.wait_for(lock, period, [this] { return busy_ == 0; })) {
    lock.unlock();
    meanwhile();
    lock.lock();
  }
}

void Pool::serve(int thread) {
  long seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    start_.wait(lock, [&] { return stop_ || turn_ != seen; });
    if (stop_) return;
    seen = turn_;
    const auto& work = *work_;
    const int size = this->size();  // threads_ is complete: the first turn comes after the constructor
    const int first = part(n_, size, thread), end = part(n_, size, thread + 1);
    lock.unlock();
    work(thread, first, end);
    lock.lock();
    if (--busy_ == 0) done_.notify_one();
  }
}

}  // namespace pliant
