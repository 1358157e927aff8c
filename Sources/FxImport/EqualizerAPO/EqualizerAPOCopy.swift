import FxAudio
import FxChain
import Glibc

/// The parameters of a `Copy` line: `L=0.5*L+-6dB*R VS=R`. All of its assignments read the channels as they were
/// before the line. A name that is no channel is a channel of its own, which later lines may read.
struct EqualizerAPOCopy {
  struct Summand {
    /// nil for a constant, which fxrun does not add.
    let channel: String?
    let factor: Double
  }

  let assignments: [(target: String, summands: [Summand])]

  /// nil for parameters that are no assignments.
  init?(_ text: String) {
    var assignments: [(target: String, summands: [Summand])] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      let sides = word.split(separator: "=", omittingEmptySubsequences: false)
      guard sides.count == 2, !sides[0].isEmpty else { return nil }
      var summands: [Summand] = []
      for part in sides[1].split(separator: "+") {
        guard let summand = Self.summand(part) else { return nil }
        summands.append(summand)
      }
      guard !summands.isEmpty else { return nil }
      assignments.append((String(sides[0]), summands))
    }
    guard !assignments.isEmpty else { return nil }
    self.assignments = assignments
  }

  private static func summand(_ text: Substring) -> Summand? {
    let parts = text.split(separator: "*", omittingEmptySubsequences: false).map(String.init)
    switch parts.count {
    case 1 where parts[0] == "0" || parts[0].contains("."):
      return Double(parts[0]).map { Summand(channel: nil, factor: $0) }
    case 1: return Summand(channel: parts[0], factor: 1)
    case 2: return factor(parts[0]).map { Summand(channel: parts[1], factor: $0) }
    default: return nil
    }
  }

  private static func factor(_ text: String) -> Double? {
    guard text.lowercased().hasSuffix("db") else { return Double(text) }
    return Double(text.dropLast(2)).map { pow(10, $0 / 20) }
  }

  /// The channels of the device that the line names.
  var members: [ChannelSelection.Member] {
    assignments.flatMap { [$0.target] + $0.summands.compactMap(\.channel) }.compactMap(Self.member)
  }

  static func member(_ name: String) -> ChannelSelection.Member? {
    guard case .some(let members)? = try? EqualizerChannels(name) else { return nil }
    return members.first
  }
}
