// A T-handle, a rod and a book tumble in a world of Bullet, each once for every way in which Bullet can turn it and once
// turned by Polhode from the world's tick callback. Then a ball strikes a tumbling book.
//
//   g++ -std=c++20 -O2 -Iinclude examples/bullet/main.cpp $(pkg-config --cflags --libs bullet) -o bullet
//   ./bullet [FILE.csv]
//   examples/engines_plot.py FILE.csv -o FIGURE.png
//
// Without a file there is the table alone. The exit code is 1 if the numbers are not what they should be: engines/checks.hpp.
#include <btBulletDynamicsCommon.h>

#include <memory>

#include "../engines/play.hpp"
#include "../engines/turned.hpp"

namespace {

using Number = btScalar;  // float in Debian's packages

btVector3 to_bullet(const tumble::Vec& v) { return {Number(v.x), Number(v.y), Number(v.z)}; }
btQuaternion to_bullet(const tumble::Rotation& q) { return {Number(q.v.x), Number(q.v.y), Number(q.v.z), Number(q.w)}; }

// A body that Bullet moves, and that collides in Bullet; its rotation is Polhode's.
struct TurnedBody {
  btRigidBody* body;
  tumble::Turned<Number> turned;

  explicit TurnedBody(btRigidBody* of)
      : body(of),
        turned(polhode::Inertia<Number>::from_inverse(polhode::vec3<Number>(of->getInvInertiaDiagLocal())),
               polhode::rotation<Number>(of->getOrientation()), polhode::vec3<Number>(of->getAngularVelocity())) {
    body->setFlags(body->getFlags() &
                   ~(BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                     BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY));
  }

  // Bullet has moved the body, solved its contacts and turned it about w: the last is undone, and with it the turn (not the
  // displacement) by which the split impulse frees bodies that overlap deeply.
  void after_tick(Number h) {
    if (!body->isActive()) return;
    const auto status = turned.tick(polhode::vec3<Number>(body->getAngularVelocity()), h);
    if (!status) std::fprintf(stderr, "a body was not turned: %s\n", polhode::text_of(status));
    const auto& q = turned.spin.R_SB;
    body->setAngularVelocity(polhode::vector_to<btVector3>(turned.shown));
    // Of the body and not of its transform alone: its inertia in the world and what is drawn follow.
    body->setCenterOfMassTransform(
        btTransform(btQuaternion(q.v.x, q.v.y, q.v.z, q.w), body->getCenterOfMassPosition()));
  }
};

// What Bullet adds so that the momentum turns with the velocity: of a new body.
const char* default_term() {
  const int flags = btRigidBody(1, nullptr, nullptr).getFlags();
  if (flags & BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT) return "EXPLICIT";
  if (flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD) return "IMPLICIT_WORLD";
  return flags & BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY ? "IMPLICIT_BODY" : "none";
}

// Everything that Bullet needs to live; bodies are freed with it.
class World {
 public:
  using Body = btRigidBody*;

  World() {
    world_.setGravity({0, 0, 0});
    world_.setInternalTickCallback(
        [](btDynamicsWorld* world, btScalar h) {
          for (TurnedBody& one : static_cast<World*>(world->getWorldUserInfo())->turned_) one.after_tick(h);
        },
        this);
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() {
    for (const auto& body : bodies_) world_.removeRigidBody(body.get());
  }

  // A compound of boxes in its principal axes.
  Body add(const tumble::Solid& solid, const tumble::Vec& place) {
    btCompoundShape whole;
    std::vector<Number> masses;
    Number mass = 0;
    for (const tumble::Box& box : solid.boxes) {
      shapes_.push_back(std::make_unique<btBoxShape>(to_bullet(0.5 * box.edges)));
      whole.addChildShape(btTransform(btQuaternion::getIdentity(), to_bullet(box.centre)), shapes_.back().get());
      masses.push_back(static_cast<Number>(box.mass));
      mass += masses.back();
    }
    btTransform principal;
    btVector3 moments;
    whole.calculatePrincipalAxisTransform(masses.data(), principal, moments);
    auto shape = std::make_unique<btCompoundShape>();
    for (int i = 0; i < whole.getNumChildShapes(); ++i)
      shape->addChildShape(principal.inverse() * whole.getChildTransform(i), whole.getChildShape(i));
    const tumble::Rotation R = tumble::first_attitude();
    Body body = add(std::move(shape), mass, moments, R, place);
    body->setAngularVelocity(to_bullet(R * tumble::first_velocity_B(solid)));
    return body;
  }
  Body add(const tumble::Ball& ball) {
    auto shape = std::make_unique<btSphereShape>(Number(ball.radius));
    btVector3 moments;
    shape->calculateLocalInertia(Number(ball.mass), moments);
    Body body = add(std::move(shape), Number(ball.mass), moments, {}, ball.place);
    body->setLinearVelocity(to_bullet(ball.velocity));
    return body;
  }
  void lay_floor() {
    friction_ = Number(0.5);
    world_.setGravity({0, 0, Number(-9.8)});
    add(std::make_unique<btBoxShape>(btVector3(50, 50, 1)), 0, {0, 0, 0}, {}, {0, 0, -1});
  }
  void turn(Body body) { turned_.emplace_back(body); }

  void step() { world_.stepSimulation(Number(tumble::tick), 1, Number(tumble::tick)); }

  static tumble::Vec moments(Body body) {
    const auto inverse = polhode::vec3<double>(body->getInvInertiaDiagLocal());
    return {1 / inverse.x, 1 / inverse.y, 1 / inverse.z};
  }
  static tumble::Seen see(Body body) {
    return {polhode::rotation<double>(body->getOrientation()), polhode::vec3<double>(body->getAngularVelocity()),
            polhode::vec3<double>(body->getCenterOfMassPosition()), polhode::vec3<double>(body->getLinearVelocity())};
  }

 private:
  Body add(std::unique_ptr<btCollisionShape> shape, Number mass, const btVector3& moments, const tumble::Rotation& R_SB,
           const tumble::Vec& place) {
    btRigidBody::btRigidBodyConstructionInfo how(mass, nullptr, shape.get(), moments);
    how.m_startWorldTransform = btTransform(to_bullet(R_SB), to_bullet(place));
    how.m_friction = friction_;
    how.m_restitution = Number(0.5);
    shapes_.push_back(std::move(shape));
    bodies_.push_back(std::make_unique<btRigidBody>(how));
    world_.addRigidBody(bodies_.back().get());
    return bodies_.back().get();
  }

  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<TurnedBody> turned_;
  Number friction_ = 0;
};

const std::vector<tumble::Way<World>> ways = {
    {"Bullet by default", [](btRigidBody*) {}},
    {"Bullet with IMPLICIT_WORLD", [](btRigidBody* b) { b->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD); }},
    {"Bullet with EXPLICIT", [](btRigidBody* b) { b->setFlags(BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT); }},
    {"Bullet with no such flag", [](btRigidBody* b) { b->setFlags(0); }},
};

}  // namespace

int main(int count, char** arguments) {
  if (count > 2) {
    std::fprintf(stderr, "usage: tumbling_in_bullet [FILE.csv]\n");
    return 2;
  }
  const int version = btGetVersion();
  const std::string made_by = "Bullet " + std::to_string(version / 100) + "." + std::to_string(version % 100) +
                              (sizeof(Number) == 4 ? ", single" : ", double") + " precision, 60 s in ticks of 1/60 s";
  std::printf("%s; the gyroscopic term of a body is by default %s\n", made_by.c_str(), default_term());
  const double rounding = 1e-5, contact = 1e-4;
  tumble::Checks checks;
  World space;
  const std::vector<tumble::Story> stories = tumble::free_fall(space, ways, "Polhode in Bullet");
  for (const tumble::Story& story : stories) {
    print(story);
    check(checks, story, rounding);
    const tumble::Vec I = story.moments;
    if (I.x * I.y * I.z < SIMD_EPSILON)
      std::printf(
          "  That of Bullet's default is lost: btMatrix3x3::solve33 multiplies by determinants below %.1e, instead of\n"
          "  dividing, and here it is about I1 I2 I3 = %.1e.\n",
          SIMD_EPSILON, I.x * I.y * I.z);
  }
  World room;
  const tumble::Impact blow = tumble::impact(room);
  print(blow, "sequential impulses");
  check(checks, blow, rounding, contact);
  World ground;
  tumble::check_rest(checks, ground, "sequential impulses");
  return tumble::finish(checks, count, arguments, made_by, stories);
}
