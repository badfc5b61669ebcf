// The free body in closed form, at many times.
#include <pybind11/numpy.h>

#include <algorithm>
#include <cmath>

#include "polhode/model/free_rotor.hpp"
#include "request.hpp"
#include "views.hpp"

namespace polhode::python {
namespace {

class Rotor {
 public:
  Rotor(const Request& request, double farthest)
      : prepared_(prepare<double>(free_body(request))),
        scalar_first_(request.scalar_first),
        rotor_(prepared_.body.inertia, prepared_.start, prepared_.time_in(farthest)) {}

  // (7, n)
  py::array_t<double> at(const py::array_t<double, py::array::c_style | py::array::forcecast>& given) const {
    // A copy: other threads may do with theirs what they like.
    const std::vector<double> times(given.data(), given.data() + given.size());
    py::array_t<double> y({py::ssize_t{7}, given.size()});
    Trouble trouble;
    without_lock(trouble, [&, to = y.mutable_data()] { put_all(times, to, trouble.stop()); });
    return y;
  }

 private:
  static Setup free_body(const Request& request) {
    if (!moves_freely(request.scenario.setup))
      throw SetupError("body", "the closed form is that of a free body, and this one has wheels");
    return request.scenario.setup;
  }

  void put_all(const std::vector<double>& times, double* to, const std::atomic<bool>& stop) const {
    const auto n = static_cast<py::ssize_t>(times.size());
    constexpr std::size_t width = 8;
    using S = Lanes<double, width>;
    for (std::size_t first = 0; first < times.size() && !stop; first += width) {
      const std::size_t count = std::min(width, times.size() - first);
      std::array<double, width> elapsed;
      for (std::size_t i = 0; i < width; ++i)
        elapsed[i] = prepared_.time_in(times[first + std::min(i, count - 1)]) - prepared_.start.t;
      const State<S> s = rotor_.after(S::load(elapsed));
      for (std::size_t i = 0; i < count; ++i) put(s, i, to + first + i, n);
    }
  }

  template <class S>
  void put(const State<S>& all, std::size_t lane, double* to, py::ssize_t n) const {
    const State<double> s{{all.R_SB.w[lane], {all.R_SB.v.x[lane], all.R_SB.v.y[lane], all.R_SB.v.z[lane]}},
                          {all.pi_B.x[lane], all.pi_B.y[lane], all.pi_B.z[lane]},
                          all.t[lane]};
    const Vec3<double> w_P = prepared_.body.velocity(s.pi_B);
    const int e = -prepared_.units.time_exponent;
    const Vec3<double> w_U =
        prepared_.body.principal_axes * Vec3<double>{std::ldexp(w_P.x, e), std::ldexp(w_P.y, e), std::ldexp(w_P.z, e)};
    std::array<double, 7> y;
    write_motion(prepared_.in_user_units(s).R_SB, w_U, scalar_first_, y.data());
    for (std::size_t k = 0; k < 7; ++k) to[static_cast<py::ssize_t>(k) * n] = y[k];
  }

  Prepared<double> prepared_;
  bool scalar_first_;
  FreeRotor<double> rotor_;
};

}  // namespace

void add_rotor(py::module_& module) {
  py::class_<Rotor>(module, "Rotor").def(py::init<const Request&, double>()).def("at", &Rotor::at);
}

}  // namespace polhode::python
