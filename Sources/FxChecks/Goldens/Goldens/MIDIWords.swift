import FxChain
import FxEngine
import FxKit

/// The messages of a node's MIDI file as words, so that a changed message can be named.
enum MIDIWords {
  /// Longer files are only compared as a whole.
  private static let messageLimit = 4096

  /// By node id.
  static func messages(of graph: Graph) -> [String: [String]] {
    var messages: [String: [String]] = [:]
    for node in graph.nodes {
      guard case .unit(let unit) = node.content, !unit.events.isEmpty,
        unit.events.count <= messageLimit
      else { continue }
      messages[node.id] = unit.events.map(words)
    }
    return messages
  }

  /// `note on 60 (velocity 100, channel 1) at 0.5 s`.
  static func words(_ message: TimedMIDI) -> String {
    let bytes = message.bytes + [0, 0, 0]
    let (one, two, channel) = (Int(bytes[1]), Int(bytes[2]), Int(bytes[0] & 15) + 1)
    let what =
      switch bytes[0] >> 4 {
      case 0x9 where two > 0: "note on \(one) (velocity \(two), channel \(channel))"
      case 0x8, 0x9: "note off \(one) (channel \(channel))"
      case 0xA: "key pressure \(two) of note \(one) (channel \(channel))"
      case 0xB: "controller \(one) = \(two) (channel \(channel))"
      case 0xC: "program \(one + 1) (channel \(channel))"
      case 0xD: "channel pressure \(one) (channel \(channel))"
      case 0xE: "pitch bend \((two << 7 | one) - 8192) (channel \(channel))"
      default: "message \(message.bytes.map(String.init).joined(separator: " "))"
      }
    return "\(what) at \(shortNumber(message.seconds)) s"
  }

  /// The first message that differs, as a sentence; nil when all are the same.
  static func change(of node: String, _ now: [String], since then: [String]) -> String? {
    guard
      let index = (0..<max(now.count, then.count)).first(where: { index in
        index >= now.count || index >= then.count || now[index] != then[index]
      })
    else { return nil }
    let subject = "message \(index + 1) of the MIDI of '\(node)'"
    guard index < now.count else { return "\(subject) is gone: \(then[index])" }
    guard index < then.count else { return "\(subject) is new: \(now[index])" }
    return "\(subject) is \(now[index]), was \(then[index])"
  }
}
