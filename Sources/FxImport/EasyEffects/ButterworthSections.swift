import FxNodes
import Glibc

/// The filters `BWC` and `LRX` of LSP Plugins: sections at the angles of a Butterworth filter, which a Q above 0
/// moves apart. `LRX` is a `BWC` of the double slope, twice.
struct ButterworthSections {
  private struct Section {
    /// The square of the frequency, relative to the filter's.
    let square: Double
    let q: Double
  }

  private let filter: LSPFilter
  private let repeats: Int

  init(_ filter: LSPFilter, repeats: Int) { (self.filter, self.repeats) = (filter, repeats) }

  /// The bands; nil for a filter that fxrun does not have.
  var bands: [Equalizer.Band]? {
    switch filter.type {
    case "Hi-pass": pass(.highPass, at: filter.frequency)
    case "Lo-pass": pass(.lowPass, at: filter.frequency)
    case "Bandpass":
      pass(.highPass, at: filter.lowFrequency) + pass(.lowPass, at: filter.highFrequency)
    case "Allpass": allPass
    case "Bell": twice { bell }
    case "Hi-shelf": twice { shelf(.highShelf, gain, at: filter.frequency) }
    case "Lo-shelf": twice { shelf(.lowShelf, gain, at: filter.frequency) }
    case "Ladder-pass":
      twice {
        shelf(.highShelf, gain, at: filter.lowFrequency)
          + shelf(.highShelf, gain, at: filter.highFrequency, sign: -1)
      }
    case "Ladder-rej":
      twice {
        shelf(.lowShelf, gain, at: filter.lowFrequency)
          + shelf(.highShelf, -gain, at: filter.highFrequency, sign: -1)
      }
    default: nil
    }
  }

  private func twice(_ bands: () -> [Equalizer.Band]) -> [Equalizer.Band] {
    (0..<repeats).flatMap { _ in bands() }
  }

  /// The gain of one repetition, in decibels.
  private var gain: Double { filter.gain / Double(repeats) }

  /// The sections of one repetition. A pass has one for each step of the slope.
  private var count: Int {
    filter.type == "Hi-pass" || filter.type == "Lo-pass" ? filter.slope : filter.slope * repeats
  }

  /// - Parameter spread: 1/(1+q) or what a shelf makes of it; 1 is a Butterworth filter.
  private func sections(_ spread: Double) -> [Section] {
    (0..<count).map { index in
      let angle = Double(2 * index + 1) * .pi / Double(4 * count)
      let (sine, cosine) = (sin(angle), cos(angle))
      let square = sine * sine + spread * spread * cosine * cosine
      return Section(square: square, q: square.squareRoot() / (2 * spread * cosine))
    }
  }

  private func pass(_ kind: Equalizer.Band.Kind, at hertz: Double) -> [Equalizer.Band] {
    if filter.quality == 0, 2 * count <= 8 {
      return twice { [filter.band(kind, at: hertz, order: 2 * count)] }
    }
    return twice {
      sections(1 / (1 + filter.quality)).map { section in
        let ratio = section.square.squareRoot()
        return filter.band(
          kind, at: hertz, ratio: kind == .lowPass ? ratio : 1 / ratio, q: section.q)
      }
    }
  }

  /// Without a Q the all-pass of a Butterworth filter; with one, LSP's changes levels.
  private var allPass: [Equalizer.Band]? {
    guard filter.quality == 0 else { return nil }
    let order = filter.slope
    return (0..<order).map { index in
      let angle = Double(2 * index + 1) * .pi / Double(4 * order)
      return filter.band(.allPass, q: 1 / (2 * cos(angle)))
    }
  }

  /// Two shelves for each section, which rise below the frequency and fall above it.
  private var bell: [Equalizer.Band] {
    // The gain of a shelf, in decibels, and how far its zeros are from its poles.
    let step = gain / Double(count)
    let distance = pow(10, step / 40)
    let isRaised = gain >= 0
    return sections(1 / (1 + filter.quality)).flatMap { section in
      let root = section.square.squareRoot()
      let centre = isRaised ? root / distance.squareRoot() : root * distance.squareRoot()
      return [
        filter.band(.highShelf, ratio: centre, gain: step, q: section.q),
        filter.band(.highShelf, ratio: 1 / centre, gain: -step, q: section.q),
      ]
    }
  }

  /// Shelves that are balanced around their middle, and the level that puts the flat side at 0 dB.
  ///
  /// - Parameter sign: -1 for the filter that undoes this one.
  private func shelf(
    _ kind: Equalizer.Band.Kind, _ gain: Double, at hertz: Double, sign: Double = 1
  ) -> [Equalizer.Band] {
    let root = pow(10, gain / 40)
    let spread = 1 / (1 + filter.quality * (1 - exp(2 - root - 1 / root)))
    let sections = sections(spread)
    let steps = sections.map { gain / Double(2 * count) - decibels($0.square) }
    let level = sign * (gain / 2 - steps.reduce(0, +))
    let bands = zip(sections, steps).map { section, step in
      filter.band(kind, at: hertz, gain: sign * 2 * step, q: section.q)
    }
    return abs(level) < 1e-9 ? bands : bands + [filter.level(level)]
  }
}
