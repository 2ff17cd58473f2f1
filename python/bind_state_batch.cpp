// StateBatch: simulations as rows, for pliant.mujoco.batch. The package checks names and shapes and allocates; sizes
// are checked here again.

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bind.h"
#include "pliant/state_batch.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pliant::python {
namespace {

using Reals = nb::ndarray<double, nb::c_contig, nb::device::cpu>;
using ConstReals = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using ConstInts = nb::ndarray<const int32_t, nb::c_contig, nb::device::cpu>;
using Ints = nb::ndarray<int32_t, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const uint8_t, nb::c_contig, nb::device::cpu>;
using Anything = nb::ndarray<nb::c_contig, nb::device::cpu>;

/// A view that keeps the batch alive.
nb::object view(nb::handle self, void* data, std::initializer_list<size_t> shape, nb::dlpack::dtype dtype) {
  return nb::cast(
      nb::ndarray<nb::numpy>(data, shape.size(), shape.begin(), self, nullptr, dtype, nb::device::cpu::value),
      nb::rv_policy::reference_internal, self);
}

nb::object rows(nb::handle self, const SimArray& array) {
  if (!array.data) return nb::none();
  const size_t nsim = static_cast<size_t>(nb::cast<StateBatch&>(self).nsim());
  return view(self, array.data, {nsim, array.count}, dtype_of(array.scalar));
}

/// Which simulations a call is about, checked.
class Chosen {
 public:
  Chosen(const StateBatch& batch, const std::optional<ConstInts>& ids) : n_(batch.nsim()) {
    call.stop = interrupted;
    if (!ids) return;
    call.all = false;
    call.ids = {ids->data(), ids->size()};
    n_ = static_cast<int>(ids->size());
    for (int i = 0; i < n_; ++i) {
      if (call.ids[i] < 0 || call.ids[i] >= batch.nsim() || (i > 0 && call.ids[i] <= call.ids[i - 1])) {
        throw nb::value_error(("Batch: ids must ascend from 0 to " + std::to_string(batch.nsim() - 1)).c_str());
      }
    }
  }
  size_t n() const { return static_cast<size_t>(n_); }
  StateBatch::Call call;

 private:
  int n_;
};

void check_size(const char* name, size_t size, size_t wanted) {
  if (size == wanted) return;
  throw nb::value_error((std::string("Batch: ") + name + " should have " + std::to_string(wanted) + " numbers, not " +
                         std::to_string(size))
                            .c_str());
}

template <class Array>
void check_shape(const char* name, const Array& array, std::initializer_list<size_t> wanted) {
  bool same = array.ndim() == wanted.size();
  std::string has, needs;
  for (size_t i = 0; i < array.ndim(); ++i) has += (i ? ", " : "") + std::to_string(array.shape(i));
  for (size_t i = 0; i < wanted.size(); ++i) {
    const size_t size = wanted.begin()[i];
    same = same && array.shape(i) == size;
    needs += (i ? ", " : "") + std::to_string(size);
  }
  if (same) return;
  throw nb::value_error(
      (std::string("Batch: ") + name + " should have shape (" + needs + "), got (" + has + ")").c_str());
}

/// Type of the numbers that a record of this name is made of.
nb::dlpack::dtype record_type(const SimRecord& record) {
  if (record.name.empty()) return nb::dtype<double>();
  for (const auto fields : {state_fields(), data_fields()}) {
    for (const StateFieldInfo& field : fields) {
      if (record.name == field.name) return dtype_of(field.scalar);
    }
  }
  return nb::dtype<int32_t>();  // a count
}

/// An array to record into, as it is: a copy of it would be written to and thrown away.
Anything recorded_into(nb::handle given, const SimRecord& record) {
  Anything array;
  if (!nb::try_cast(nb::borrow(given), array, false)) {
    throw nb::value_error("Batch: records are written into contiguous arrays");
  }
  const nb::dlpack::dtype wanted = record_type(record);
  if (array.dtype().code != wanted.code || array.dtype().bits != wanted.bits) {
    throw nb::value_error(("Batch: the array for " + (record.name.empty() ? "a part of the state" : record.name) +
                           " has another type of numbers")
                              .c_str());
  }
  return array;
}

/// Runs a call with the GIL released; Ctrl-C ends it.
template <class F>
int call(F&& f) {
  int failed = 0;
  {
    nb::gil_scoped_release release;
    failed = f();
  }
  if (PyErr_Occurred()) throw nb::python_error();
  return failed;
}

Stage stage_of(int stage) {
  if (stage < 0 || stage > static_cast<int>(Stage::kAcceleration)) {
    throw nb::value_error("Batch: stage must be one of mjtStage");
  }
  return static_cast<Stage>(stage);
}

int run_rollout(StateBatch& self, const std::optional<ConstInts>& ids, int nstep,
                const std::optional<ConstReals>& control, unsigned control_spec, const nb::list& records) {
  const Chosen chosen(self, ids);
  if (nstep < 0) throw nb::value_error("Batch: nstep must not be negative");
  const size_t rows = chosen.n() * static_cast<size_t>(nstep);
  if (control) {
    check_size("control", control->size(), rows * static_cast<size_t>(state_size(self.model(), control_spec)));
  }
  std::vector<SimRecord> list;
  std::vector<Anything> kept;
  for (nb::handle item : records) {
    const nb::tuple record = nb::cast<nb::tuple>(item);
    SimRecord r;
    if (!record[0].is_none()) r.name = nb::cast<std::string>(record[0]);
    if (!nb::try_cast(nb::borrow(record[1]), r.parts)) throw nb::value_error("Batch: a part of the state is bits");
    kept.push_back(recorded_into(record[2], r));
    r.data = kept.back().data();
    r.bytes = kept.back().nbytes();
    check_size("record (bytes)", r.bytes, rows * self.record_bytes(r));
    list.push_back(r);
  }
  return call(
      [&] { return self.rollout(chosen.call, nstep, control ? control->data() : nullptr, control_spec, list); });
}

int run_jacobians(StateBatch& self, const std::optional<ConstInts>& ids, const ConstInts& body, const ConstReals& point,
                  const std::optional<Reals>& jacp, const std::optional<Reals>& jacr) {
  const Chosen chosen(self, ids);
  const size_t n = chosen.n(), nv = static_cast<size_t>(self.model().nv);
  check_shape("body", body, {n});
  check_shape("point", point, {n, 3});
  if (jacp) check_shape("jacp", *jacp, {n, 3, nv});
  if (jacr) check_shape("jacr", *jacr, {n, 3, nv});
  for (size_t i = 0; i < body.size(); ++i) {
    if (body.data()[i] < 0 || body.data()[i] >= self.model().nbody)
      throw nb::value_error("Batch: there is no such body");
  }
  return call([&] {
    return self.jacobians(chosen.call, body.data(), point.data(), jacp ? jacp->data() : nullptr,
                          jacr ? jacr->data() : nullptr);
  });
}

int run_rays(StateBatch& self, const std::optional<ConstInts>& ids, const ConstReals& pnt, const ConstReals& vec,
             const std::optional<Bytes>& geomgroup, bool fixed, const ConstInts& exclude, const Reals& dist,
             const Ints& geomid, const std::optional<Reals>& normal) {
  const Chosen chosen(self, ids);
  const size_t n = exclude.size();
  check_size("pnt", pnt.size(), 3 * n);
  check_size("vec", vec.size(), 3 * n);
  check_size("dist", dist.size(), n);
  check_size("geomid", geomid.size(), n);
  if (normal) check_size("normal", normal->size(), 3 * n);
  if (geomgroup) check_size("geomgroup", geomgroup->size(), 6);
  if (chosen.n() == 0 || n == 0) return 0;
  check_size("bodyexclude", n % chosen.n(), 0);
  StateBatch::Rays rays;
  rays.n = static_cast<int>(n / chosen.n());
  rays.points = pnt.data(), rays.directions = vec.data();
  rays.groups = geomgroup ? geomgroup->data() : nullptr;
  rays.fixed = fixed, rays.excluded = exclude.data();
  rays.distances = dist.data(), rays.geoms = geomid.data();
  rays.normals = normal ? normal->data() : nullptr;
  return call([&] { return self.rays(chosen.call, rays); });
}

int check_sim(const StateBatch& self, int sim) {
  if (sim >= 0 && sim < self.nsim()) return sim;
  throw nb::index_error(
      ("Batch: sim must be in [0, " + std::to_string(self.nsim()) + "), got " + std::to_string(sim)).c_str());
}

void set_models(StateBatch& self, const nb::list& models) {
  std::vector<const Model*> list;
  for (nb::handle model : models) list.push_back(&nb::cast<PyModel&>(model).model);
  self.set_models(std::move(list));
}

/// C functions (model, data), each with the stage after which the threads of a batch call it.
using CFunctions = std::vector<std::pair<std::string, uintptr_t>>;

void call_c_functions(StateBatch& self, const CFunctions& functions) {
  if (functions.empty()) return self.set_probe({});
  struct Call {
    int stage, unless;  // unless: flags of which not all may be set
    void (*function)(const void* model, void* data);
  };
  std::vector<Call> calls;
  for (const auto& [stage, address] : functions) {
    const int place = place_of(stage);
    if (place < 0) throw nb::value_error(("Batch: there is no stage '" + stage + "'").c_str());
    const int unless = stage == "passive" ? kDisableSpring | kDisableDamper : kDisableActuation;
    calls.push_back({place, unless, reinterpret_cast<void (*)(const void*, void*)>(address)});
  }
  self.set_probe([calls](const Model& m, const State&, Data& d, int stage) {
    for (const Call& call : calls) {
      if (call.stage == stage && (m.opt.disableflags & call.unless) != call.unless) call.function(&m, &d);
    }
  });
}

}  // namespace

void bind_state_batch(nb::module_& m) {
  nb::class_<StateBatch>(m, "StateBatch", "Simulations as rows of a matrix; pliant.mujoco.batch is the door to it.")
      .def(
          "__init__",
          [](StateBatch* self, const PyModel& model, int nsim, int nthread, bool persistent) {
            new (self) StateBatch(model.model, nsim, nthread, persistent);
          },
          "model"_a, "nsim"_a, "nthread"_a = 0, "persistent"_a = false)
      .def_prop_ro("nsim", &StateBatch::nsim)
      .def_prop_ro("nthread", &StateBatch::threads)
      .def_prop_ro("nstate", &StateBatch::nstate)
      .def_prop_ro("persistent", &StateBatch::persistent)
      .def("state",
           [](nb::handle self) {
             StateBatch& batch = nb::cast<StateBatch&>(self);
             return view(self, batch.state(), {static_cast<size_t>(batch.nsim()), static_cast<size_t>(batch.nstate())},
                         nb::dtype<double>());
           })
      .def("status",
           [](nb::handle self) {
             StateBatch& batch = nb::cast<StateBatch&>(self);
             return view(self, const_cast<int*>(batch.status().data()), {batch.status().size()}, nb::dtype<int32_t>());
           })
      .def("faults",
           [](nb::handle self) {
             StateBatch& batch = nb::cast<StateBatch&>(self);
             return view(self, batch.faults(), {static_cast<size_t>(batch.nsim()), static_cast<size_t>(kNumFaults), 2},
                         nb::dtype<int32_t>());
           })
      .def("error", [](const StateBatch& self, int sim) { return text(self.error(check_sim(self, sim))); })
      .def("output", [](nb::handle self,
                        const std::string& name) { return rows(self, nb::cast<StateBatch&>(self).output(name)); })
      .def("expand", [](nb::handle self,
                        const std::string& name) { return rows(self, nb::cast<StateBatch&>(self).expand(name)); })
      .def("expanded", [](nb::handle self,
                          const std::string& name) { return rows(self, nb::cast<StateBatch&>(self).expanded(name)); })
      .def("set_models", set_models, "models"_a)
      .def("call_c_functions", call_c_functions, "functions"_a)
      .def("get_model",
           [](const StateBatch& self, int sim, PyModel& model) { self.get_model(check_sim(self, sim), model.model); })
      .def("get_data", [](const StateBatch& self, int sim,
                          PyWorld& data) { self.get_data(check_sim(self, sim), *data.s, *data.d); })
      .def(
          "step",
          [](StateBatch& self, const std::optional<ConstInts>& ids, int nstep, int stage) {
            const Chosen chosen(self, ids);
            if (nstep < 0) throw nb::value_error("Batch: nstep must not be negative");
            return call([&] { return self.step(chosen.call, nstep, stage_of(stage)); });
          },
          "ids"_a.none(), "nstep"_a, "stage"_a)
      .def(
          "forward",
          [](StateBatch& self, const std::optional<ConstInts>& ids, int stage) {
            const Chosen chosen(self, ids);
            return call([&] { return self.forward(chosen.call, stage_of(stage)); });
          },
          "ids"_a.none(), "stage"_a)
      .def(
          "reset",
          [](StateBatch& self, const std::optional<ConstInts>& ids, const std::optional<ConstInts>& key, int stage) {
            const Chosen chosen(self, ids);
            if (key) check_size("keyframe", key->size(), chosen.n());
            const std::span<const int> keys =
                key ? std::span<const int>(key->data(), key->size()) : std::span<const int>();
            return call([&] { return self.reset(chosen.call, keys, stage_of(stage)); });
          },
          "ids"_a.none(), "keyframe"_a.none(), "stage"_a)
      .def(
          "set_const",
          [](StateBatch& self, const std::optional<ConstInts>& ids) {
            const Chosen chosen(self, ids);
            return call([&] { return self.set_const(chosen.call); });
          },
          "ids"_a.none())
      // nothing is converted: what is written into a copy would be lost
      .def("rollout", run_rollout, "ids"_a.none().noconvert(), "nstep"_a, "control"_a.none().noconvert(),
           "control_spec"_a, "records"_a)
      .def("jac", run_jacobians, "ids"_a.none().noconvert(), "body"_a.noconvert(), "point"_a.noconvert(),
           "jacp"_a.none().noconvert(), "jacr"_a.none().noconvert())
      .def("ray", run_rays, "ids"_a.none().noconvert(), "pnt"_a.noconvert(), "vec"_a.noconvert(),
           "geomgroup"_a.none().noconvert(), "flg_static"_a, "bodyexclude"_a.noconvert(), "dist"_a.noconvert(),
           "geomid"_a.noconvert(), "normal"_a.none().noconvert());
}

}  // namespace pliant::python
