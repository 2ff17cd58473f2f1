// Added mass of an ellipsoid in a fluid (the ellipsoid drag model's geometry-dependent part).
//
// κ_x = d_x d_y d_z ∫₀^∞ dλ / sqrt((d_x²+λ)³ (d_y²+λ) (d_z²+λ)), evaluated by 15-point Gauss–Kronrod
// quadrature after λ = scale·x³/(1−x)²; nodes, weights and Jacobians below are those of that rule as the
// reference tabulates them (8 digits of weight), because the coefficients are compared to its.
// Added masses and inertias: Lamb, Hydrodynamics, §114–§115.

#include <algorithm>
#include <cmath>

#include "geom/primitive_hd.h"
#include "compile/compile.h"

namespace pliant {
namespace {

constexpr int kNodes = 15;
constexpr double kWeight[kNodes] = {0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236,
                                    0.09517529, 0.10221647, 0.10474107, 0.10221647, 0.09517529,
                                    0.08450236, 0.07032663, 0.05239501, 0.03154605, 0.01146766};
constexpr double kLambda[kNodes] = {
    7.865151709349917e-08, 1.7347976913907274e-05, 0.0003548008144506193, 0.002846636252924549,
    0.014094260903596077,  0.053063261727396636,   0.17041978741317773,   0.5,
    1.4036301548686991,    3.9353484827022642,     11.644841677041734,    39.53187807410903,
    177.5711362220801,     1429.4772912937397,     54087.416549217705};
constexpr double kJacobian[kNodes] = {
    5.538677720489877e-05, 0.002080868285293228, 0.016514126520723166, 0.07261900344370877,
    0.23985243401862602,   0.6868318249020725,   1.8551129519182894,   5.0,
    14.060031152313941,    43.28941239611009,    156.58546376397112,   747.9826085305024,
    5827.4042950027115,    116754.0197944512,    25482945.327264845};

double kappa(double dx, double dy, double dz) {
  const double ix = 1.0 / (dx * dx), iy = 1.0 / (dy * dy), iz = 1.0 / (dz * dz);
  // lengths are made dimensionless for accuracy
  const double scale = std::pow(dx * dx * dx * dy * dz, 0.4);
  double sum = 0;
  for (int i = 0; i < kNodes; ++i) {
    const double lambda = scale * kLambda[i];
    const double denominator = (1 + lambda * ix) * std::sqrt((1 + lambda * ix) * (1 + lambda * iy) * (1 + lambda * iz));
    sum += scale * kJacobian[i] / denominator * kWeight[i];
  }
  return sum * ix;
}

/// Factor of the added moment of inertia about the axis orthogonal to the semiaxes a and b.
double inertia_factor(double a, double b, double ka, double kb) {
  const double difference = a * a - b * b;
  return difference * difference * std::abs(kb - ka) /
         std::max(kCompileEps, std::abs(2 * difference + (a * a + b * b) * (ka - kb)));
}

}  // namespace

AddedMass added_mass(GeomType type, const double* sizes) {
  const Vec3 size{sizes[0], sizes[1], sizes[2]};
  const auto [dx, dy, dz] = with_primitive(type, size, [&](auto shape) { return shape.half(size); });
  // a plane without bounds is no ellipsoid, and never moves
  if (type == GeomType::kPlane && !(dx > 0 && dy > 0 && dz > 0)) return {};
  const double volume = 4.0 / 3.0 * kPi * dx * dy * dz;
  const double kx = kappa(dx, dy, dz), ky = kappa(dy, dz, dx), kz = kappa(dz, dx, dy);
  return {volume * kx / std::max(kCompileEps, 2 - kx), volume * ky / std::max(kCompileEps, 2 - ky),
          volume * kz / std::max(kCompileEps, 2 - kz), volume * inertia_factor(dy, dz, ky, kz) / 5,
          volume * inertia_factor(dz, dx, kz, kx) / 5, volume * inertia_factor(dx, dy, kx, ky) / 5};
}

}  // namespace pliant
