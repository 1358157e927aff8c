import FxAudio

/// A mark on an axis.
struct AxisTick: Equatable {
  /// From 0 (left or top) to 1.
  var position: Double
  var label: String
  /// Below the label, smaller.
  var note = ""
  /// True for a tick that is left out if there is little room.
  var isMinor = false
}

enum AxisTicks {
  /// The smallest step of 1, 2, 5, 10, 20, … times a power of ten that is at least `value`.
  static func step(atLeast value: Double) -> Double {
    guard value.isFinite, value > 0 else { return 1 }
    var power = 1e-9
    while power * 10 <= value, power < 1e12 { power *= 10 }
    return ([1, 2, 5, 10].map { $0 * power }).first { $0 >= value } ?? power * 10
  }

  /// Ticks in seconds, with the frame number below; at most ten.
  static func time(frameCount: Int, sampleRate: Double) -> [AxisTick] {
    guard frameCount > 0, sampleRate.isFinite, sampleRate > 0 else { return [] }
    let seconds = Double(frameCount) / sampleRate
    let step = step(atLeast: seconds / 9)
    let isShort = seconds < 0.1
    let unit = isShort ? 1000.0 : 1
    var places = 0
    while places < 9, step * unit * Figures.powerOfTen(places) < 0.999 { places += 1 }
    let count = min(Int(seconds / step + 1e-9), 20)
    let isDense = count > 4
    return (0...count).map { index in
      let time = Double(index) * step
      let frame = (time * sampleRate).rounded()
      return AxisTick(
        position: time / seconds,
        label: "\(Figures.fixed(time * unit, places: places)) \(isShort ? "ms" : "s")",
        note: frame < 1e15 ? Markup.grouped(Int(frame)) : "", isMinor: isDense && index % 2 == 1)
    }
  }

  /// Ticks at equal distances from `frame`, at most five.
  static func frames(_ range: Range<Int>, around frame: Int, sampleRate: Double) -> [AxisTick] {
    guard range.contains(frame) else { return [] }
    let step = max(Int(Self.step(atLeast: Double(range.count) / 4)), 1)
    return (-2...2).map { frame + $0 * step }.filter(range.contains).map { frame in
      AxisTick(
        position: (Double(frame - range.lowerBound) + 0.5) / Double(range.count),
        label: Markup.grouped(frame),
        note: "\(Figures.fixed(Double(frame) / max(sampleRate, 1), places: 4)) s")
    }
  }

  /// 100 Hz, 1 kHz, 10 kHz and some values between, from top to bottom.
  static func frequency(_ grid: Spectrogram.Grid) -> [AxisTick] {
    [50.0, 100, 200, 500, 1000, 2000, 5000, 10000, 20000]
      .filter { grid.frequencies.contains($0) }
      .map {
        AxisTick(
          position: 1 - grid.position(ofHertz: $0), label: Figures.frequency($0),
          isMinor: ![100, 1000, 10000].contains($0))
      }
  }

  /// The positive and the negative amplitude, and values 6 dB lower between them.
  static func amplitude(top: Double) -> [AxisTick] {
    let level = Markup.decibels(top, places: 0)
    let half = Markup.decibels(top - 6, places: 0)
    return [
      AxisTick(position: 0, label: level), AxisTick(position: 0.25, label: half),
      AxisTick(position: 0.5, label: "\u{2212}∞"), AxisTick(position: 0.75, label: half),
      AxisTick(position: 1, label: level),
    ]
  }

  /// The next level above an amplitude in steps of 3 dB, for the edge of a waveform.
  static func top(ofPeak peak: Double) -> Double {
    guard peak.isFinite, peak > 0 else { return 0 }
    return min(max((Math.decibels(amplitude: peak) / 3).rounded(.up) * 3, -300), 300)
  }
}

extension Figures {
  static func powerOfTen(_ exponent: Int) -> Double {
    (0..<max(exponent, 0)).reduce(1) { power, _ in power * 10 }
  }
}
