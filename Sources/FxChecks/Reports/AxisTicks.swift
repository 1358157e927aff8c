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

  /// The smallest round step of a time axis in seconds: 1, 2 or 5 times a power of ten up to 10 s,
  /// then round parts of a minute, of an hour and of a day.
  static func timeStep(atLeast seconds: Double) -> Double {
    guard seconds > 10 else { return step(atLeast: seconds) }
    let steps: [Double] = [
      15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400,
    ]
    return steps.first { $0 >= seconds } ?? step(atLeast: seconds / 86400) * 86400
  }

  /// Round times from 0, at most ten, and their labels without a unit.
  static func times(upTo seconds: Double) -> (values: [Double], labels: [String], unit: String) {
    guard seconds.isFinite, seconds > 0 else { return ([], [], "s") }
    let step = timeStep(atLeast: seconds / 9)
    let values = (0...min(Int(seconds / step + 1e-9), 20)).map { Double($0) * step }
    if seconds >= 120, seconds < 1e9 {
      let unit = seconds < 3600 ? "min:s" : "h:min:s"
      return (values, values.map { Figures.clock($0, hasHours: seconds >= 3600) }, unit)
    }
    let scale = seconds < 0.1 ? 1000.0 : 1
    var places = 0
    while places < 9, step * scale * Figures.powerOfTen(places) < 0.999 { places += 1 }
    let labels = values.map { $0 == 0 ? "0" : Figures.fixed($0 * scale, places: places) }
    return (values, labels, scale == 1 ? "s" : "ms")
  }

  /// Ticks in seconds, with the frame number below; at most ten.
  static func time(frameCount: Int, sampleRate: Double) -> [AxisTick] {
    guard frameCount > 0, sampleRate.isFinite, sampleRate > 0 else { return [] }
    let seconds = Double(frameCount) / sampleRate
    let times = times(upTo: seconds)
    let suffix = times.unit.contains(":") ? "" : " \(times.unit)"
    return times.values.indices.map { index in
      let frame = (times.values[index] * sampleRate).rounded()
      return AxisTick(
        position: times.values[index] / seconds, label: times.labels[index] + suffix,
        note: frame < 1e15 ? Markup.grouped(Int(frame)) : "",
        isMinor: times.values.count > 5 && index % 2 == 1)
    }
  }

  /// Round frame numbers within a range, at most five.
  static func frames(_ range: Range<Int>, sampleRate: Double) -> [AxisTick] {
    guard !range.isEmpty else { return [] }
    let step = max(Int(Self.step(atLeast: Double(range.count) / 4)), 1)
    let first = (range.lowerBound + step - 1) / step * step
    return stride(from: first, to: range.upperBound, by: step).map { frame in
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
