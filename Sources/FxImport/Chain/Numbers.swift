import Glibc

/// A factor in decibels.
func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

/// A calculated number with the digits that a person would write and that the sound needs: nine.
func rounded(_ number: Double) -> Double {
  guard number != 0, number.isFinite else { return number }
  let scale = pow(10, 8 - log10(abs(number)).rounded(.down))
  return (number * scale).rounded() / scale
}

/// The Q of a peak with this width in octaves, as the Audio EQ Cookbook's `BW` has it: the width at this rate.
func q(octaves: Double, frequency: Double, sampleRate: Double) -> Double {
  let omega = 2 * Double.pi * frequency / sampleRate
  return 1 / (2 * sinh(log(2) / 2 * octaves * omega / sin(omega)))
}

/// The Q of a shelf with the slope S of the Audio EQ Cookbook.
func q(slope: Double, gain: Double) -> Double {
  let amplitude = pow(10, gain / 40)
  return 1 / ((amplitude + 1 / amplitude) * (1 / slope - 1) + 2).squareRoot()
}

extension Double {
  var logarithm2: Double { log2(self) }
  var power2: Double { exp2(self) }
}

/// The factor of a level in decibels.
func factor(decibels: Double) -> Double { pow(10, decibels / 20) }

/// A number as a person writes it, with nine digits.
func plain(_ number: Double) -> String {
  number == number.rounded() && abs(number) < 1e9 ? String(Int(number)) : "\(rounded(number))"
}
