// The stage metric on the CPU: memory and faults of metric_hd.h, then the rows that depend on the metric.
//
// writes besides: row_R row_D row_diagA row_aref

#include "integrate/metric.h"

#include "constraint/metric_terms.h"
#include "integrate/metric_hd.h"
#include "state/fault.h"

namespace pliant {
namespace {

MetricWork<double> take_work(const Model& m, Data& d, bool& full) {
  MetricWork<double> work;
  const size_t nv = static_cast<size_t>(m.nv);
  if (needs_backbone(m) && metric_term_room(m).rows > 0) {
    work.backbone = d.arena.take<double>(static_cast<size_t>(m.nC) + nv);
    full = !work.backbone;
  }
  if (has_followers(m) && has_metric_terms(m)) {
    work.term = d.arena.take<double>(nv);
    work.term_dof = d.arena.take<int>(nv);
  }
  return work;
}

void record_faults(const State& s, Data& d, const MetricReport& report, const MetricWork<double>& work, bool full,
                   int nC) {
  if (full || report.overflow) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
  }
  if (report.miscounted) record_fault(s, d, Fault::kRowMiscount, "rows", -1, d.rows.row_room);
  const auto singular = [&](int bad, const double* inverse) {
    if (bad >= 0) record_fault(s, d, Fault::kSingularInertia, "qHDiagInv", bad, inverse[bad]);
  };
  singular(report.singular, d.qHDiagInv);
  if (work.backbone) singular(report.singular_backbone, work.backbone + nC);
}

}  // namespace

void run_metric(const Model& m, const State& s, Data& d) {
  d.metric = {};
  if (!is_discrete(m.opt)) return;
  bool full = false;
  const MetricWork<double> work = take_work(m, d, full);
  const MetricReport report = build_metric(SerialTeam{}, m, s, d, work, [&](Rows& rows) {
    const CountedRows room = metric_term_room(m);
    return take_rows(d.arena, room.rows, room.segments, static_cast<int>(room.entries), rows);
  });
  record_faults(s, d, report, work, full, m.nC);
  d.terms_explicit += report.terms_explicit;
  if (!finish_rows_in_metric(m, d)) {
    record_fault(s, d, Fault::kRowOverflow, "arena", -1, static_cast<double>(d.arena.high_water()));
  }
}

}  // namespace pliant
