import FxAudio

/// The commands of an equalizer file of AutoEq, Equalizer APO, Room EQ Wizard or Peace, each with
/// its line and its scope.
///
/// Sources: Equalizer APO's configuration reference, and its behaviour where the reference is
/// silent; the texts that Room EQ Wizard 5.18 to 5.40 exports.
package struct EqualizerDocument: Sendable {
  package private(set) var commands: [EqualizerCommand] = []
  /// Lines that are not used, and lines of which a part is not used.
  package private(set) var notes: [EqualizerRemark] = []
  /// Lines that would change the sound wrongly.
  package private(set) var mistakes: [EqualizerRemark] = []
  /// True if any line is a filter, even one that is off.
  private(set) var hasFilters = false

  /// Reads a file; nil for bytes that are no text.
  package init?(_ bytes: [UInt8]) {
    guard let text = TextEncoding.text(bytes) else { return nil }
    self.init(text)
  }

  /// - Parameter scope: To what the first lines apply: the state of a file that includes this one.
  package init(_ text: String, scope: EqualizerScope = EqualizerScope()) {
    var lines = EqualizerLines(text, scope: scope)
    lines.read()
    let numbers = EqualizerNumbers(lines.samples)
    notes = lines.notes
    mistakes = lines.mistakes
    hasFilters = lines.hasFilters
    for raw in lines.raws {
      do throws(EqualizerRemark) {
        let action = try raw.action(numbers, isDCX: lines.isDCX, &notes)
        guard let action else { continue }
        commands.append(EqualizerCommand(line: raw.line, scope: raw.scope, action: action))
      } catch {
        mistakes.append(error)
      }
    }
    notes.sort { $0.line < $1.line }
    mistakes.sort { $0.line < $1.line }
  }
}

/// A command whose numbers are not read yet.
struct EqualizerRawCommand {
  enum Content {
    case filter(EqualizerLine)
    case preamp(String)
    /// Pairs of a frequency and a level.
    case graphic([(frequency: String, level: String)])
    case delay(String, isFrames: Bool)
    case done(EqualizerCommand.Action)
  }

  let line: Int
  let scope: EqualizerScope
  let content: Content

  var samples: [EqualizerNumbers.Sample] {
    func sample(_ text: String, _ role: EqualizerNumbers.Role) -> EqualizerNumbers.Sample {
      EqualizerNumbers.Sample(text: text, role: role, line: line)
    }
    switch content {
    case .filter(let filter):
      return [filter.slope].compactMap { $0.map { sample($0.text, .value) } }
        + EqualizerLine.Field.allCases.compactMap { field in
          filter.fields[field].map {
            sample($0.text, field == .frequency ? .frequency : .value)
          }
        }
    case .preamp(let text), .delay(let text, _): return [sample(text, .value)]
    case .graphic(let points):
      return points.flatMap { [sample($0.frequency, .point), sample($0.level, .value)] }
    case .done: return []
    }
  }

  /// The command; nil for a filter that is off.
  ///
  /// - Parameter isDCX: The equalizer is a Behringer DCX2496, whose band-pass is a peak.
  func action(
    _ numbers: EqualizerNumbers, isDCX: Bool, _ notes: inout [EqualizerRemark]
  ) throws(EqualizerRemark) -> EqualizerCommand.Action? {
    let reading = EqualizerReading(line: line, numbers: numbers)
    switch content {
    case .filter(let filter):
      return try reading.filter(filter, isDCX: isDCX, &notes).map { .filter($0) }
    case .preamp(let text): return .preamp(try reading.number(text, .value))
    case .graphic(let pairs):
      var points: [EqualizerCommand.Point] = []
      for pair in pairs {
        let frequency = try reading.number(pair.frequency, .point)
        guard frequency >= 0 else { throw reading.mistake("a frequency must be 0 Hz or more") }
        points.append(
          EqualizerCommand.Point(
            frequency: frequency, level: try reading.number(pair.level, .value)))
      }
      return .graphic(points)
    case .delay(let text, let isFrames):
      let time = try reading.number(text, .value)
      return isFrames ? .delayFrames(time) : .delay(time)
    case .done(let action): return action
    }
  }
}
