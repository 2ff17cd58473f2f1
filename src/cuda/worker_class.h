#pragma once
// Worlds on a GPU: one class, whose functions are in cuda_worker.cu (memory, steps) and worker_arrays.cu (arrays of all
// worlds: views, copies, fresh worlds, forward, rollout).

#include <array>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "batch/gpu_support.h"
#include "batch/place_arrays.h"
#include "cuda/array_kernels.h"
#include "cuda/cuda_worker.h"
#include "cuda/device_memory.h"

namespace pliant {

/// Streams of its own, for captures and for what goes on beside other kernels, and the memory of the host that kernels
/// write.
class HostSide {
 public:
  HostSide() {
    check(cudaStreamCreateWithFlags(&capturing, cudaStreamNonBlocking), "a stream");
    check(cudaStreamCreateWithFlags(&beside, cudaStreamNonBlocking), "a stream");
    check(cudaEventCreateWithFlags(&order, cudaEventDisableTiming), "an event");
  }
  HostSide(const HostSide&) = delete;
  HostSide& operator=(const HostSide&) = delete;
  ~HostSide() {
    if (flag) cudaFreeHost(flag);
    if (order) cudaEventDestroy(order);
    if (beside) cudaStreamDestroy(beside);
    if (capturing) cudaStreamDestroy(capturing);
  }
  cudaStream_t capturing = nullptr, beside = nullptr;
  cudaEvent_t order = nullptr;  // between streams
  int* flag = nullptr;
};

template <class R>
class CudaWorker : public BatchWorker {
 public:
  CudaWorker(const Model& model, int nworld, const BatchOptions& options, const LaunchPlan& plan);
  ~CudaWorker() override { forget_graphs(); }
  void step(int steps, const std::function<bool()>& stop) override;
  void rollout(const BatchRollout& wanted, const std::function<bool()>& stop) override;
  void forward(const WorldMask& mask) override;
  void reset(const WorldMask& mask, std::span<const int> keyframes) override;
  std::span<const int> status() override;
  BatchField status_field() override { return view(args_.status, Scalar::i32, Layout::per_world, 1); }
  std::vector<WorldStatistics> statistics() override;
  std::vector<BatchStageTime> time_stages(int repeats) override;
  BatchField field(std::string_view name) override;
  BatchField parameter(int model_field) override;
  void write(const BatchField& to, const BatchField& from) override;
  void read(const BatchField& from, void* to) override;
  void wait() override { check(cudaStreamSynchronize(queue_), "work of the worlds"); }
  void use_stream(void* stream) override;
  size_t bytes_per_world() const override {
    return (states_.bytes() + datas_.bytes() + rows_.bytes() + solvers_.bytes() + copies_.bytes()) /
               static_cast<size_t>(args_.layout.places) +
           2 * sizeof(int);
  }
  StepTimes time(int repeats);
  std::vector<WorldCounts> counts() { return of_every_world(args_.memory.counts); }
  std::vector<SolverReport> reports() { return of_every_world(args_.memory.solver); }

 private:
  /// What a kernel with a warp per world wants copied before it starts.
  struct Copies {
    DataArrays<R> arrays;
    DeviceBlock items, chunks;
    GatherTable<R> table;
  };
  /// What kernels are launched for.
  enum class Job { kStep, kForward };
  /// Of which worlds: all, or those of the list that launch_select made.
  enum class Of { kAll, kListed };

  template <class T>
  std::vector<T> of_every_world(const T* from) {
    wait();
    std::vector<T> out(from ? static_cast<size_t>(nworld_) : 0);
    if (from) check(cudaMemcpy(out.data(), from, sizeof(T) * out.size(), cudaMemcpyDeviceToHost), "counts");
    return out;
  }
  bool is_kept(const StateFieldInfo& info) const;
  // memory
  void upload_model();
  void upload_candidates();
  void place_worlds();
  void place_reset();
  void list_reset_items();
  WorldRooms rooms_at_start() const;
  void place_rows(const WorldRooms& room);
  void place_copies();
  bool add_bins(const WorldRooms& room, int dofs_above, int dofs, std::vector<SolverBin>& bins) const;
  /// Launches of the solver, with its memory shared by a team; none where there is no room for that.
  std::vector<SolverBin> bins_for(const WorldRooms& room) const;
  WorldRooms room_for(const std::vector<int>& lagging);
  void catch_up();
  /// The bytes of an array of the host, on the device until the next call.
  std::byte* staged(const void* data, size_t bytes);
  const uint8_t* on_device(const WorldMask& mask);
  // launches
  void run(Job job, Of worlds);
  void run_stages(Job job);
  void select(const uint8_t* mask, bool sound_ones);
  void forget_graphs() {
    for (cudaGraphExec_t& graph : graphs_) {
      if (graph) cudaGraphExecDestroy(graph);
      graph = nullptr;
    }
  }
  /// Copies of what a kernel with a warp per world reads.
  void gather(const Copies& copies, cudaStream_t stream) {
    check_launch(launch_gather(args_, copies.table, stream));
    args_.near = copies.arrays;
  }
  void launch_collision_stage(cudaStream_t stream) {
    gather(for_collision_, stream);
    check_launch(launch_collision(args_, stream));
  }
  void launch_constraint_stage(cudaStream_t stream) {
    gather(for_constraint_, stream);
    check_launch(launch_constraint(args_, stream));
  }
  void launch_solver_stage();
  /// What is launched in one stream from now on waits for what is in the other already.
  void let_wait(cudaStream_t later, cudaStream_t earlier) {
    check(cudaEventRecord(host_.order, earlier), "the order of kernels");
    check(cudaStreamWaitEvent(later, host_.order), "the order of kernels");
  }
  void launch_checked(SmoothStage stage) { check_launch(launch(args_, plan_, stage, now_)); }
  void copy(const DeviceNumbers& to, const DeviceNumbers& from, CopyFor worlds = CopyFor::kAll) {
    check_launch(launch_copy(to, from, nworld_, worlds, args_.status, now_));
  }
  static void check_launch(const char* error) {
    if (error) throw std::runtime_error(std::string("device \"cuda\": ") + error);
  }
  BatchField view(void* data, Scalar scalar, Layout layout, int count) const;
  BatchField view(void* data, const StateFieldInfo& info) const;

  const Model& model_;
  LaunchPlan plan_;
  BatchArgs<R> args_;
  bool fixed_memory_;
  int nworld_;
  HostSide host_;
  Copies for_collision_, for_constraint_, for_solver_;
  DeviceBlock copies_;  // shared by the three
  DeviceBlock models_, order_, candidates_, states_, datas_, statuses_, dones_, rows_, solvers_;
  DeviceBlock lists_, listed_, mask_, keys_, starts_, reset_items_, staging_;
  ResetTable reset_table_;
  std::map<std::string_view, size_t> start_of_;  // where the numbers of a field begin in a row of starts_
  int* lacks_memory_ = nullptr;                  // the host's own, which kernels write
  unsigned asked_ = 0;                           // steps, of every world
  std::map<int, DeviceBlock> parameters_;        // by place in model_fields(), or kGravity
  std::vector<int> status_;
  cudaStream_t queue_ = nullptr;             // the caller's stream; nullptr: the default one
  cudaStream_t now_ = nullptr;               // where launches go: that, or the one that is captured
  std::array<cudaGraphExec_t, 4> graphs_{};  // the kernels of a Job Of worlds as one launch
};

}  // namespace pliant
