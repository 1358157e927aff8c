import FxChain
import FxKit

/// The events that a connection receives.
struct ControlSubscription: Sendable, Equatable {
  enum Kind: String, CaseIterable {
    /// Parameter changes from any origin.
    case changes
    /// Events of the sound device and of nodes, and replaced chains.
    case events
  }

  var kinds: Set<Kind>

  /// nil for `"watch": false`.
  init?(_ members: ControlRequest.Members) throws(ChainFailure) {
    guard let value = members["watch"], value.bool != false else { return nil }
    kinds = []
    if value.bool == true {
      kinds = Set(Kind.allCases)
    } else {
      let words = value.string.map { [$0] } ?? value.elements.map { $0.string ?? "" }
      for word in words {
        guard let kind = Kind(rawValue: word) else { throw Self.unknown(word) }
        kinds.insert(kind)
      }
      if kinds.isEmpty { throw Self.unknown(value.kindName) }
    }
  }

  private static func unknown(_ word: String) -> ChainFailure {
    let known = Kind.allCases.map(\.rawValue)
    return ControlRequest.refusal(
      "what can be watched is \(known.joined(separator: ", ")), not '\(word)'",
      hints: Suggestion.hint(for: word, in: known))
  }
}
