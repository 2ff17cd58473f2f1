#pragma once
// A team of several members on the host, for code that is meant for a GPU.
//
// Members are fibers of one thread: each runs until it waits for the others, then the next one does. They take turns in
// an order that changes from barrier to barrier, so that code which forgets to wait meets numbers that are not there
// yet, and results that depend on who comes first differ from run to run of the test with another seed.

#include <ucontext.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <stdexcept>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace pliant {

template <int members>
class FiberTeam {
 public:
  static constexpr bool kSerial = false;
  static constexpr int kMembers = members;

  /// work(team) by every member; returns when all have.
  static void run(const std::function<void(const FiberTeam&)>& work, unsigned seed = 1) {
    Shared shared(work, seed);
    shared.run();
  }

  int lane() const { return lane_; }
  int size() const { return members; }
  void sync() const { shared_->wait(lane_); }
  bool any(bool x) const {
    bool yes = false;
    for (const bool said : say(x)) yes = yes || said;
    return done(yes);
  }
  int max(int x) const {
    const std::vector<int> said = say(x);
    return done(*std::max_element(said.begin(), said.end()));
  }
  int scan(int x, int& total) const {
    const std::vector<int> said = say(x);
    total = std::accumulate(said.begin(), said.end(), 0);
    return done(std::accumulate(said.begin(), said.begin() + lane_, 0));
  }
  template <class T>
  T across(T x, int n) const {
    const std::vector<T> said = say(x);
    return done(said[static_cast<size_t>(lane_ ^ n)]);
  }
  template <class T>
  T first(T x) const {
    return done(say(x)[0]);
  }
  template <class T>
  T of(T x, int member) const {
    return done(say(x)[static_cast<size_t>(member)]);
  }

 private:
  class Shared {
   public:
    Shared(const std::function<void(const FiberTeam&)>& work, unsigned seed) : work_(work), random_(seed) {
      for (int i = 0; i < members; ++i) order_[i] = i;
    }
    void run() {
      for (int i = 0; i < members; ++i) {
        Member& member = member_[i];
        member.stack = std::make_unique<std::byte[]>(kStack);
        getcontext(&member.context);
        member.context.uc_stack.ss_sp = member.stack.get();
        member.context.uc_stack.ss_size = kStack;
        member.context.uc_link = nullptr;
        const auto address = reinterpret_cast<uintptr_t>(this);
        makecontext(&member.context, reinterpret_cast<void (*)()>(&start), 3, static_cast<unsigned>(address >> 32),
                    static_cast<unsigned>(address), i);
      }
      // one round: everybody runs to the next barrier, or to the end
      for (int left = members; left > 0;) {
        std::shuffle(order_, order_ + members, random_);
        const int before = left;
        int waiting = 0;
        for (const int i : order_) {
          if (member_[i].ended) continue;
          resume(i);
          left -= member_[i].ended;
          waiting += !member_[i].ended;
        }
        if (left != before && waiting > 0) throw std::logic_error("some members of a team ended, others wait for them");
      }
    }
    void wait(int lane) { leave(lane, false); }

    std::byte said[members][16];

   private:
    static constexpr size_t kStack = size_t{1} << 20;
    struct Member {
      ucontext_t context;
      std::unique_ptr<std::byte[]> stack;
      bool ended = false;
      void* fake_stack = nullptr;
    };
    static void start(unsigned high, unsigned low, int lane) {
      auto* self = reinterpret_cast<Shared*>(static_cast<uintptr_t>(high) << 32 | low);
#if defined(__SANITIZE_ADDRESS__)
      __sanitizer_finish_switch_fiber(nullptr, &self->main_stack_, &self->main_size_);
#endif
      FiberTeam team;
      team.shared_ = self;
      team.lane_ = lane;
      self->work_(team);
      self->leave(lane, true);
    }
    void resume(int lane) {
#if defined(__SANITIZE_ADDRESS__)
      void* fake = nullptr;
      __sanitizer_start_switch_fiber(&fake, member_[lane].stack.get(), kStack);
#endif
      swapcontext(&main_, &member_[lane].context);
#if defined(__SANITIZE_ADDRESS__)
      __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    }
    void leave(int lane, bool ended) {
      Member& member = member_[lane];
      member.ended = ended;
#if defined(__SANITIZE_ADDRESS__)
      __sanitizer_start_switch_fiber(ended ? nullptr : &member.fake_stack, main_stack_, main_size_);
#endif
      swapcontext(&member.context, &main_);
#if defined(__SANITIZE_ADDRESS__)
      __sanitizer_finish_switch_fiber(member.fake_stack, nullptr, nullptr);
#endif
    }

    const std::function<void(const FiberTeam&)>& work_;
    std::mt19937 random_;
    ucontext_t main_;
    Member member_[members];
    int order_[members];
#if defined(__SANITIZE_ADDRESS__)
    const void* main_stack_ = nullptr;
    size_t main_size_ = 0;
#endif
  };

  // Everybody says something, and hears what all others say.
  template <class T>
  std::vector<T> say(T x) const {
    static_assert(sizeof(T) <= 16);
    std::memcpy(shared_->said[lane_], &x, sizeof x);
    sync();
    std::vector<T> all(members);
    for (int i = 0; i < members; ++i) {
      T value;
      std::memcpy(&value, shared_->said[i], sizeof value);
      all[static_cast<size_t>(i)] = value;
    }
    return all;
  }
  // before somebody says something else
  template <class T>
  T done(T x) const {
    sync();
    return x;
  }

  Shared* shared_ = nullptr;
  int lane_ = 0;
};

}  // namespace pliant
