// Where rows go: to a writer, and thinned to a sketch for a figure.
#pragma once

#include "polhode/run/simulation.hpp"
#include "run/column_list.hpp"
#include "run/row_sketch.hpp"
#include "run/watched.hpp"

namespace polhode {

template <class T>
class RowOutput {
 public:
  // `expected`: rows that will come, or a few more. Either writer may be missing.
  RowOutput(const Provenance& about, const ExpressionProgram& quantities, const View<T>& view, ResultWriter* rows,
            ResultWriter* sketch, long long expected)
      : view_(view), rows_(rows), sketch_(sketch), thinned_(expected, figure_rows), cells_(about.columns, &quantities) {
    if (rows_ != nullptr) rows_->begin(about);
    if (sketch_ != nullptr) sketch_->begin(about);
  }

  void write(const Reached<T>& at) {
    if (rows_ != nullptr) rows_->row(cells_.of(view_, at));
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
};

}  // namespace polhode
