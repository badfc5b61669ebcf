// A T-handle, a rod and a book tumble in a world of ODE, each once for every way in which ODE can turn it and once turned by
// Polhode after each step of the world. Then a ball strikes a tumbling book.
//
//   g++ -std=c++20 -O2 -Iinclude examples/ode/main.cpp $(pkg-config --cflags --libs ode) -o ode
//   ./ode [FILE.csv]
//   examples/engines_plot.py FILE.csv -o FIGURE.png
//
// Without a file there is the table alone. The exit code is 1 if the numbers are not what they should be: engines/checks.hpp.
#include <ode/ode.h>

#include "../engines/play.hpp"
#include "../engines/turned.hpp"

namespace {

using Number = dReal;  // double in Debian's package

// dWorldStep solves all contacts at once, dWorldQuickStep in sweeps; free bodies have the same step in both.
enum class Solver { step, quick_step };

template <class T>
polhode::Rotation<T> attitude(dBodyID body) {
  return polhode::rotation_from<T>(dBodyGetQuaternion(body), polhode::QuaternionOrder::wxyz);
}
polhode::Mat3<Number> tensor_of(dBodyID body) {
  dMass mass;
  dBodyGetMass(body, &mass);
  polhode::Mat3<Number> tensor{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) tensor[i][j] = mass.I[4 * i + j];  // rows of four
  return tensor;
}

// A body that ODE moves, and that collides in ODE; its rotation is Polhode's.
struct TurnedBody {
  dBodyID body;
  tumble::Turned<Number> turned;

  explicit TurnedBody(dBodyID of)
      : body(of),
        turned(polhode::Inertia<Number>::from_tensor(tensor_of(of)), attitude<Number>(of),
               polhode::vec3<Number>(dBodyGetAngularVel(of))) {
    dBodySetGyroscopicMode(body, 0);
  }

  // ODE has moved the body, solved its contacts and turned it: the last is undone.
  void after_tick(Number h) {
    if (!dBodyIsEnabled(body)) return;
    const auto status = turned.tick(polhode::vec3<Number>(dBodyGetAngularVel(body)), h);
    if (!status) std::fprintf(stderr, "a body was not turned: %s\n", polhode::text_of(status));
    dQuaternion q;
    polhode::rotation_into(q, turned.spin.R_SB, polhode::QuaternionOrder::wxyz);
    dBodySetQuaternion(body, q);
    dBodySetAngularVel(body, turned.shown.x, turned.shown.y, turned.shown.z);
  }
};

class World {
 public:
  using Body = dBodyID;

  explicit World(Solver solver) : solver_(solver) {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }

  Body add(const tumble::Solid& solid, const tumble::Vec& place) {
    Body body = dBodyCreate(world_);
    dMass whole;
    dMassSetZero(&whole);
    for (const tumble::Box& box : solid.boxes) {
      dMass part;
      dMassSetBoxTotal(&part, box.mass, box.edges.x, box.edges.y, box.edges.z);
      dMassTranslate(&part, box.centre.x, box.centre.y, box.centre.z);
      dMassAdd(&whole, &part);
      dGeomID geom = dCreateBox(space_, box.edges.x, box.edges.y, box.edges.z);
      dGeomSetBody(geom, body);
      dGeomSetOffsetPosition(geom, box.centre.x, box.centre.y, box.centre.z);
    }
    whole.c[0] = whole.c[1] = whole.c[2] = 0;  // but for rounding, and ODE wants it to be
    dBodySetMass(body, &whole);
    dBodySetPosition(body, place.x, place.y, place.z);
    const tumble::Rotation R = tumble::first_attitude();
    dQuaternion q;
    polhode::rotation_into(q, R, polhode::QuaternionOrder::wxyz);
    dBodySetQuaternion(body, q);
    const tumble::Vec w = R * tumble::first_velocity_B(solid);
    dBodySetAngularVel(body, w.x, w.y, w.z);
    return body;
  }
  Body add(const tumble::Ball& ball) {
    Body body = dBodyCreate(world_);
    dMass mass;
    dMassSetSphereTotal(&mass, ball.mass, ball.radius);
    dBodySetMass(body, &mass);
    dGeomSetBody(dCreateSphere(space_, ball.radius), body);
    dBodySetPosition(body, ball.place.x, ball.place.y, ball.place.z);
    dBodySetLinearVel(body, ball.velocity.x, ball.velocity.y, ball.velocity.z);
    return body;
  }
  void lay_floor() {
    friction_ = Number(0.5);
    bounce_ = 0;
    dWorldSetGravity(world_, 0, 0, Number(-9.8));
    dCreatePlane(space_, 0, 0, 1, 0);
  }
  void turn(Body body) { turned_.emplace_back(body); }

  void step() {
    dSpaceCollide(space_, this, [](void* world, dGeomID a, dGeomID b) { static_cast<World*>(world)->touch(a, b); });
    if (solver_ == Solver::step)
      dWorldStep(world_, Number(tumble::tick));
    else
      dWorldQuickStep(world_, Number(tumble::tick));
    dJointGroupEmpty(contacts_);
    for (TurnedBody& one : turned_) one.after_tick(Number(tumble::tick));
  }

  // Their axes are the principal ones.
  static tumble::Vec moments(Body body) {
    const auto tensor = tensor_of(body);
    return {tensor[0][0], tensor[1][1], tensor[2][2]};
  }
  static tumble::Seen see(Body body) {
    return {attitude<double>(body), polhode::vec3<double>(dBodyGetAngularVel(body)),
            polhode::vec3<double>(dBodyGetPosition(body)), polhode::vec3<double>(dBodyGetLinearVel(body))};
  }

 private:
  void touch(dGeomID a, dGeomID b) {
    dBodyID one = dGeomGetBody(a), other = dGeomGetBody(b);
    if (one == other) return;
    dContact contact[8]{};
    const int count = dCollide(a, b, 8, &contact[0].geom, sizeof(dContact));
    for (int i = 0; i < count; ++i) {
      contact[i].surface.mode = dContactBounce | dContactApprox1;
      contact[i].surface.mu = friction_;
      contact[i].surface.bounce = bounce_;
      dJointAttach(dJointCreateContact(world_, contacts_, &contact[i]), one, other);
    }
  }

  Solver solver_;
  dWorldID world_ = dWorldCreate();
  dSpaceID space_ = dHashSpaceCreate(nullptr);
  dJointGroupID contacts_ = dJointGroupCreate(0);
  std::vector<TurnedBody> turned_;
  Number friction_ = 0, bounce_ = Number(0.5);
};

const std::vector<tumble::Way<World>> ways = {
    {"ODE by default", [](dBodyID) {}},
    {"ODE with finite rotations", [](dBodyID body) { dBodySetFiniteRotationMode(body, 1); }},
    {"ODE without gyroscopic mode", [](dBodyID body) { dBodySetGyroscopicMode(body, 0); }},
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 2) {
    std::fprintf(stderr, "usage: tumbling_in_ode [FILE.csv]\n");
    return 2;
  }
  dInitODE2(0);
  const std::string made_by = std::string("ODE ") + dODE_VERSION + (sizeof(Number) == 4 ? ", single" : ", double") +
                              " precision, 60 s in ticks of 1/60 s";
  std::printf("%s\n", made_by.c_str());
  const double rounding = sizeof(Number) == 4 ? 1e-5 : 1e-12, contact = sizeof(Number) == 4 ? 1e-4 : 1e-10;
  tumble::Checks checks;
  std::vector<tumble::Story> stories;
  {
    World space(Solver::step);
    stories = tumble::free_fall(space, ways, "Polhode in ODE");
    for (const tumble::Story& story : stories) {
      print(story);
      check(checks, story, rounding);
    }
    for (const Solver solver : {Solver::step, Solver::quick_step}) {
      World room(solver);
      const tumble::Impact blow = tumble::impact(room);
      print(blow, solver == Solver::step ? "dWorldStep" : "dWorldQuickStep");
      check(checks, blow, rounding, contact);
    }
    // Not with dWorldQuickStep, whose sweeps let bodies on the ground tremble, whoever turns them.
    World ground(Solver::step);
    tumble::check_rest(checks, ground, "dWorldStep");
  }
  dCloseODE();
  return tumble::finish(checks, count, arguments, made_by, stories);
}
