import FxAudio

/// The transfer function of a linear system from its impulse response: magnitude, phase and group
/// delay.
///
/// For responses up to `longestDirect` frames, the sum over the samples is computed exactly at each
/// frequency. For longer ones the bins of an FFT are interpolated.
package struct TransferFunction {
  /// The transfer function at one frequency.
  package struct Point: Sendable, Equatable {
    package var hertz: Double
    /// Minus infinity when nothing passes.
    package var decibels: Double
    /// From -π to π.
    package var phase: Double
    /// In seconds.
    package var groupDelay: Double
  }

  private static let longestDirect = 32768
  /// The share of the energy at either end of a response that is ignored.
  private static let energyFloor = 1e-15

  private let samples: ArraySlice<Float>
  /// The frame of time 0.
  private let origin: Int
  private let sampleRate: Double
  private let bins: Bins?

  /// - Parameter origin: The frame of the input impulse of 1. Frames before it count as well.
  package init(_ impulseResponse: [Float], origin: Int = 0, sampleRate: Double) {
    samples = Self.trimmed(impulseResponse)
    self.origin = origin
    self.sampleRate = sampleRate
    bins = samples.count > Self.longestDirect ? Bins(samples, origin: origin) : nil
  }

  /// The response without its quiet beginning and end.
  private static func trimmed(_ response: [Float]) -> ArraySlice<Float> {
    let energies = response.map { $0.isFinite ? Double($0) * Double($0) : 0 }
    let floor = energies.reduce(0, +) * energyFloor
    guard floor > 0 else { return [] }
    func quietCount(_ energies: some Sequence<Double>) -> Int {
      var (sum, count) = (0.0, 0)
      for energy in energies {
        sum += energy
        guard sum <= floor else { break }
        count += 1
      }
      return count
    }
    let start = quietCount(energies)
    return response[start..<max(response.count - quietCount(energies.reversed()), start)]
  }

  package func point(at hertz: Double) -> Point {
    let step = hertz / sampleRate
    let sums = bins?.sums(at: step) ?? directSums(at: step)
    let power = sums.value.power
    return Point(
      hertz: hertz, decibels: Math.decibels(amplitude: Math.squareRoot(power)),
      phase: Self.angle(sums.value),
      groupDelay: power > 0 ? sums.delay / power / sampleRate : 0)
  }

  /// The mean power between two frequencies, and the mean group delay weighted with the power. The
  /// phase is that of the middle frequency.
  package func mean(from low: Double, to high: Double) -> Point {
    let middle = Math.squareRoot(low * high)
    var point = point(at: middle)
    let count = Int(max(4, min(400, (high - low) / sampleRate * Double(samples.count) * 2)))
    var (power, delay) = (0.0, 0.0)
    for index in 0..<count {
      let step = (low + (high - low) * (Double(index) + 0.5) / Double(count)) / sampleRate
      let sums = bins?.sums(at: step) ?? directSums(at: step)
      power += sums.value.power
      delay += sums.delay
    }
    point.decibels = Math.decibels(amplitude: Math.squareRoot(power / Double(count)))
    point.groupDelay = power > 0 ? delay / power / sampleRate : 0
    return point
  }

  /// `value` is the transfer function. `delay` is power times group delay in frames: the real part
  /// of the conjugate of `value`, times the transform of the samples multiplied by their times.
  private typealias Sums = (value: ComplexNumber, delay: Double)

  private func directSums(at step: Double) -> Sums {
    var (value, weighted) = (ComplexNumber(), ComplexNumber())
    let turn = Math.sinCos(-2 * .pi * step)
    let rotation = ComplexNumber(real: turn.cos, imaginary: turn.sin)
    var frame = samples.startIndex
    while frame < samples.endIndex {
      // Start again every 1024 frames, so that errors of the rotation do not accumulate.
      let end = min(frame + 1024, samples.endIndex)
      let cycles = step * Double(frame - origin)
      let start = Math.sinCos(-2 * .pi * (cycles - cycles.rounded()))
      var phasor = ComplexNumber(real: start.cos, imaginary: start.sin)
      samples.withUnsafeBufferPointer { buffer in
        let base = samples.startIndex
        for index in frame..<end {
          let sample = Double(buffer[index - base])
          let part = ComplexNumber(real: phasor.real * sample, imaginary: phasor.imaginary * sample)
          value = value + part
          weighted = weighted + part.scaled(by: Double(index - origin))
          phasor = phasor * rotation
        }
      }
      frame = end
    }
    return (value, value.real * weighted.real + value.imaginary * weighted.imaginary)
  }

  /// The four-quadrant arc tangent, by Newton's method on our own sine. The last bits of the C
  /// library's function differ between machines.
  private static func angle(_ number: ComplexNumber) -> Double {
    let size = Math.squareRoot(number.power)
    guard size > 0, size.isFinite else { return 0 }
    let (cosine, sine) = (number.real / size, number.imaginary / size)
    var angle = cosine < 0 ? (sine < 0 ? -Double.pi : .pi) - sine : sine
    for _ in 0..<5 {
      let own = Math.sinCos(angle)
      angle += sine * own.cos - cosine * own.sin
    }
    return angle
  }
}

/// The spectra of a long response and of its samples multiplied by their times.
private struct Bins {
  private let plain: [FourierTransform.Bin]
  private let weighted: [FourierTransform.Bin]
  private let length: Int

  init?(_ samples: ArraySlice<Float>, origin: Int) {
    let length = FourierTransform.length(atLeast: samples.count * 4)
    guard let transform = FourierTransform(length: length) else { return nil }
    self.length = length
    var (own, timed) = ([Float](repeating: 0, count: length), [Float](repeating: 0, count: length))
    for index in samples.indices {
      let time = index - origin
      let place = time < 0 ? length + time : time
      guard own.indices.contains(place) else { continue }
      own[place] = samples[index].isFinite ? samples[index] : 0
      timed[place] = own[place] * Float(time)
    }
    plain = transform.spectrum(own)
    weighted = transform.spectrum(timed)
  }

  func sums(at step: Double) -> (value: ComplexNumber, delay: Double) {
    // A place that is not a number gives the first bin.
    let place = min(Double(plain.count - 1), max(0, step * Double(length)))
    let bin = min(Int(place), plain.count - 2)
    let part = place - Double(bin)
    func between(_ bins: [FourierTransform.Bin]) -> ComplexNumber {
      ComplexNumber(bins[bin]).scaled(by: 1 - part) + ComplexNumber(bins[bin + 1]).scaled(by: part)
    }
    let (value, timed) = (between(plain), between(weighted))
    return (value, value.real * timed.real + value.imaginary * timed.imaginary)
  }
}

private struct ComplexNumber {
  var real = 0.0
  var imaginary = 0.0

  init(real: Double = 0, imaginary: Double = 0) {
    self.real = real
    self.imaginary = imaginary
  }

  init(_ bin: FourierTransform.Bin) {
    real = Double(bin.real)
    imaginary = Double(bin.imaginary)
  }

  var power: Double { real * real + imaginary * imaginary }

  func scaled(by factor: Double) -> ComplexNumber {
    ComplexNumber(real: real * factor, imaginary: imaginary * factor)
  }

  static func + (left: ComplexNumber, right: ComplexNumber) -> ComplexNumber {
    ComplexNumber(real: left.real + right.real, imaginary: left.imaginary + right.imaginary)
  }

  static func * (left: ComplexNumber, right: ComplexNumber) -> ComplexNumber {
    ComplexNumber(
      real: left.real * right.real - left.imaginary * right.imaginary,
      imaginary: left.real * right.imaginary + left.imaginary * right.real)
  }
}
