// Conversions to and from Eigen: exact both ways, and with the same meaning on both sides.
#include "polhode/eigen.hpp"

#include <gtest/gtest.h>

namespace polhode::eigen_test {
namespace {

const Rotation<double> attitude = normalised(Rotation<double>{0.5, {-0.1, 0.7, 0.3}});
const Vec3<double> vector{1.5, -2.25, 3.125};
const Mat3<double> numbered{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};

TEST(Eigen, RoundTripsAreExact) {
  EXPECT_EQ(vec3_from(to_eigen(vector)), vector);
  EXPECT_EQ(rotation_from(to_eigen(attitude)), attitude);
  EXPECT_EQ(mat3_from(to_eigen(numbered)), numbered);
  const Rotation<float> single = cast<float>(attitude);
  EXPECT_EQ(rotation_from(to_eigen(single)), single);
}

TEST(Eigen, KeepsTheOrderOfQuaternionAndMatrix) {
  const Eigen::Quaterniond q = to_eigen(Rotation<double>{1, {2, 3, 4}});
  EXPECT_EQ(q.w(), 1);
  EXPECT_EQ(q.coeffs(), Eigen::Vector4d(2, 3, 4, 1));
  EXPECT_EQ(rotation_from(Eigen::Quaterniond(1, 2, 3, 4)), (Rotation<double>{1, {2, 3, 4}}));
  EXPECT_EQ(to_eigen(numbered)(0, 2), 3);
  EXPECT_EQ(to_eigen(numbered)(2, 0), 7);
}

TEST(Eigen, TurnsVectorsTheSameWay) {
  const Eigen::Quaterniond q = to_eigen(attitude);
  const double unit = 8 * epsilon<double>() * norm(vector);
  EXPECT_LE(norm(vec3_from(q * to_eigen(vector)) - attitude * vector), unit);
  EXPECT_LE((q.toRotationMatrix() - to_eigen(matrix(attitude))).norm(), 8 * epsilon<double>());
  const Eigen::Quaterniond other(Eigen::AngleAxisd(0.7, Eigen::Vector3d(1, 2, 2) / 3));
  EXPECT_LE(angle_between(rotation_from(q * other), attitude * rotation_from(other)), 8 * epsilon<double>());
  EXPECT_LE(angle_between(rotation_from(q.toRotationMatrix()), attitude), 8 * epsilon<double>());
}

TEST(Eigen, TakesExpressionsRowsAndMaps) {
  const Eigen::Vector3d e(1, 2, 3);
  EXPECT_EQ(vec3_from(2 * e), (Vec3<double>{2, 4, 6}));
  EXPECT_EQ(vec3_from(e.transpose()), (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(vec3_from(to_eigen(numbered) * e), numbered * (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(mat3_from(to_eigen(numbered).transpose())[0][1], 4);
  const double memory_xyzw[4] = {2, 3, 4, 1};
  EXPECT_EQ(rotation_from(Eigen::Map<const Eigen::Quaterniond>(memory_xyzw)), (Rotation<double>{1, {2, 3, 4}}));
}

}  // namespace
}  // namespace polhode::eigen_test
