import FxAudio

/// What the unit `equalizer` takes from an equalizer text: bands, levels and curves, each for its
/// channels.
package struct EqualizerText {
  /// One band, with the names of the unit `equalizer`.
  package struct Band: Equatable {
    package var type: String
    package var frequency: Double?
    package var gain = 0.0
    /// nil for a filter of first order and for a level.
    package var q: Double? = 0.707_106_781_186_547_6
    package var order = 2
    package var channels = EqualizerChannels.all
    package var line: Int
  }

  package private(set) var bands: [Band] = []
  /// Decibels for all channels; nil if no line gives it.
  package private(set) var preamp: Double?
  /// The points of graphic equalizers as the option `curve` has them; empty without one.
  package private(set) var curve = ""
  /// True if any line is a filter, even one that is off.
  let hasFilters: Bool
  /// Lines that would change the sound wrongly, in their order.
  package private(set) var mistakes: [EqualizerRemark]
  /// Lines that are not used, in their order.
  package private(set) var notes: [EqualizerRemark]
  /// The lines that apply to some channels only.
  private(set) var scoped: [(line: Int, channels: [ChannelSelection.Member])] = []
  /// The lines of the preamp for all channels, and of the curves.
  private(set) var preampLines: [Int] = []
  private(set) var curveLines: [Int] = []

  package init(_ text: String, sampleRate: Double) {
    self.init(EqualizerDocument(text), sampleRate: sampleRate)
  }

  /// - Parameter sampleRate: The rate for converting bandwidths in octaves. Nothing else depends on
  ///   it.
  package init(_ document: EqualizerDocument, sampleRate: Double) {
    hasFilters = document.hasFilters
    mistakes = document.mistakes
    notes = document.notes
    var levels: [Band] = []
    var curves: [(channels: EqualizerChannels, points: String)] = []
    for command in document.commands {
      let channels = command.scope.channels
      switch command.action {
      case .filter(let filter):
        do throws(EqualizerRemark) {
          var band = try Band(filter, sampleRate: sampleRate, line: command.line)
          band.channels = channels
          bands.append(band)
        } catch {
          mistakes.append(error)
          continue
        }
      case .coefficients:
        mistakes.append(
          EqualizerRemark(
            line: command.line, message: "fxrun does not read filters by their coefficients"))
        continue
      case .preamp(let level):
        take(level, channels, command.line, &levels)
      case .graphic(let points):
        guard !points.isEmpty else {
          note("the line is not used: it has no points", command.line)
          continue
        }
        curveLines.append(command.line)
        // The lowest frequency is half a hertz.
        curves.append(
          (channels, points.map { "\(max($0.frequency, 0.5)) \($0.level)" }.joined(separator: "; "))
        )
      default:
        note("the line is not used: '\(command.name)' is no filter", command.line)
        continue
      }
      if case .some(let members) = channels { scoped.append((command.line, members)) }
    }
    bands += levels.filter { $0.gain != 0 }
    curve = curves.map { $0.channels == .all ? $0.points : "\($0.channels.option): \($0.points)" }
      .joined(separator: " | ")
    mistakes.sort { $0.line < $1.line }
    notes.sort { $0.line < $1.line }
  }

  /// True if no line gives the equalizer anything to do, or says that it has nothing to do.
  package var isEmpty: Bool { !hasFilters && curve.isEmpty && preamp == nil && bands.isEmpty }

  mutating func change(_ body: (inout Band) -> Void) {
    for index in bands.indices { body(&bands[index]) }
  }

  mutating func dropPreamp() { preamp = nil }

  private mutating func note(_ message: String, _ line: Int) {
    notes.append(EqualizerRemark(line: line, message: message))
  }

  /// Adds a preamp to those of the same channels.
  private mutating func take(
    _ level: Double, _ channels: EqualizerChannels, _ line: Int, _ levels: inout [Band]
  ) {
    guard channels != .all else {
      preamp = (preamp ?? 0) + level
      preampLines.append(line)
      return
    }
    if let index = levels.firstIndex(where: { $0.channels == channels }) {
      levels[index].gain += level
    } else {
      levels.append(Band(type: "level", gain: level, q: nil, channels: channels, line: line))
    }
  }
}

extension EqualizerCommand {
  /// The command as the text names it.
  fileprivate var name: String {
    switch action {
    case .preamp: "Preamp"
    case .filter, .coefficients: "Filter"
    case .graphic: "GraphicEQ"
    case .delay, .delayFrames: "Delay"
    case .copy: "Copy"
    case .convolution: "Convolution"
    case .include: "Include"
    case .other(let name): name
    }
  }
}
