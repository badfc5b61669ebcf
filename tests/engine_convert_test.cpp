// Vectors and quaternions of other libraries, there and back: members, functions, arrays and setters; and the order of four
// numbers in a row.
#include "polhode/engine/convert.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>

namespace polhode::engine_convert_test {
namespace {

const Vec3<float> v{1, 2, 3};
const Rotation<float> q{0.5f, {-0.1f, 0.7f, 0.2f}};

struct WithMembers {
  double x, y, z;
};
struct QuaternionWithMembers {  // in an order of its own
  double x, y, z, w;
};

// As Bullet has them: functions to read, one to set.
class WithSetter {
 public:
  WithSetter() = default;
  const float& x() const { return at_[0]; }
  const float& y() const { return at_[1]; }
  const float& z() const { return at_[2]; }
  const float& w() const { return at_[3]; }
  void setValue(const float& x, const float& y, const float& z, const float& w) { at_ = {x, y, z, w}; }

 private:
  std::array<float, 4> at_{};
};

struct Odd {
  float east, north, up;
};

TEST(EngineConvert, VectorsByMembersFunctionsAndIndices) {
  EXPECT_EQ(vec3<float>(WithMembers{1, 2, 3}), v);
  const WithMembers members = vector_to<WithMembers>(v);
  EXPECT_EQ((Vec3<double>{members.x, members.y, members.z}), (Vec3<double>{1, 2, 3}));
  const Eigen::Vector3d eigen = vector_to<Eigen::Vector3d>(v);
  EXPECT_EQ(eigen, Eigen::Vector3d(1, 2, 3));
  EXPECT_EQ(vec3<float>(eigen), v);
  const auto array = vector_to<std::array<float, 3>>(v);
  EXPECT_EQ(array, (std::array<float, 3>{1, 2, 3}));
  EXPECT_EQ(vec3<float>(array), v);
  const double plain[3] = {1, 2, 3};
  EXPECT_EQ(vec3<float>(plain), v);
}

TEST(EngineConvert, QuaternionsByTheNamesOfTheirParts) {
  const auto members = quaternion_to<QuaternionWithMembers>(cast<double>(q));
  EXPECT_EQ(members.w, static_cast<double>(0.5f));
  EXPECT_EQ(members.y, static_cast<double>(0.7f));
  EXPECT_EQ(rotation<float>(members), q);
  const auto eigen = quaternion_to<Eigen::Quaternionf>(q);
  EXPECT_EQ(eigen.w(), 0.5f);
  EXPECT_EQ(eigen.coeffs()[3], 0.5f) << "Eigen keeps x, y, z, w";
  EXPECT_EQ(rotation<float>(eigen), q);
  // The same turn as theirs, not only the same numbers; a dozen roundings of numbers up to 4.
  const Eigen::Vector3f turned = eigen.normalized() * Eigen::Vector3f(1, 2, 3);
  EXPECT_NEAR(norm(vec3<float>(turned) - normalised(q) * v), 0, 12 * 4 * 6e-8);
  const auto bullet = quaternion_to<WithSetter>(q);
  EXPECT_EQ(bullet.w(), 0.5f);
  EXPECT_EQ(bullet.y(), 0.7f);
  EXPECT_EQ(rotation<float>(bullet), q);
}

TEST(EngineConvert, FourNumbersInEitherOrder) {
  const float scalar_first[4] = {0.5f, -0.1f, 0.7f, 0.2f}, scalar_last[4] = {-0.1f, 0.7f, 0.2f, 0.5f};
  EXPECT_EQ(rotation_from<float>(scalar_first, QuaternionOrder::wxyz), q);
  EXPECT_EQ(rotation_from<float>(scalar_last, QuaternionOrder::xyzw), q);
  std::array<float, 4> to{};
  rotation_into(to, q, QuaternionOrder::wxyz);
  EXPECT_EQ(to, std::to_array(scalar_first));
  rotation_into(to, q, QuaternionOrder::xyzw);
  EXPECT_EQ(to, std::to_array(scalar_last));
}

}  // namespace
}  // namespace polhode::engine_convert_test

// A type of no such kind: told how.
template <>
struct polhode::ForeignVector<polhode::engine_convert_test::Odd> {
  template <class T>
  static constexpr Vec3<T> read(const engine_convert_test::Odd& v) {
    return {T(v.east), T(v.north), T(v.up)};
  }
  template <class T>
  static constexpr engine_convert_test::Odd make(const Vec3<T>& v) {
    return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)};
  }
};

namespace polhode::engine_convert_test {
namespace {

TEST(EngineConvert, AnyOtherTypeBySpecialisation) {
  const auto odd = vector_to<Odd>(v);
  EXPECT_EQ(odd.north, 2);
  EXPECT_EQ(vec3<float>(odd), v);
}

}  // namespace
}  // namespace polhode::engine_convert_test
