// Where rows go: to a writer, and thinned to a sketch for a figure.
#pragma once

#include "polhode/run/simulation.hpp"
#include "run/column_list.hpp"
#include "run/row_sketch.hpp"
#include "run/tangent_output.hpp"
#include "run/watched.hpp"

namespace polhode {

template <class T>
class RowOutput {
 public:
  // `expected`: rows that will come, or a few more. Either writer may be missing. A sketch has no derivatives.
  RowOutput(const Provenance& about, const ExpressionProgram& quantities, const View<T>& view, ResultWriter* rows,
            ResultWriter* sketch, long long expected, TangentCells* tangent)
      : view_(view),
        rows_(rows),
        sketch_(sketch),
        thinned_(expected, figure_rows),
        cells_(about.columns, &quantities),
        tangent_(tangent) {
    if (rows_ != nullptr) rows_->begin(about);
    if (sketch_ == nullptr) return;
    Provenance without = about;
    without.derived.clear();
    sketch_->begin(without);
  }

  void write(const Reached<T>& at) {
    if (rows_ != nullptr && tangent_ == nullptr) rows_->row(cells_.of(view_, at));
    if (rows_ != nullptr && tangent_ != nullptr) {
      std::vector<Number> all = cells_.of(view_, at);
      tangent_->append(all);
      rows_->row(all);
    }
    if (sketch_ != nullptr) thinned_.add(at, thinned_.whole() ? T(0) : view_.energy(at.state), sketcher());
  }
  void finish() {
    if (sketch_ != nullptr) thinned_.finish(sketcher());
  }

 private:
  auto sketcher() {
    return [this](const Reached<T>& at) { sketch_->row(cells_.of(view_, at)); };
  }

  const View<T>& view_;
  ResultWriter *rows_, *sketch_;
  RowSketch<T> thinned_;
  RowCells<T> cells_;
  TangentCells* tangent_;
};

}  // namespace polhode
