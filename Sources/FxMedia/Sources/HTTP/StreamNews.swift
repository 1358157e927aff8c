import Synchronization

/// What happens to streams while they are read, for whoever reports it.
package final class StreamNews: Sendable {
  package struct Item: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// A station, by its headers.
      case station
      /// A title, which applies from `seconds` of the sound on.
      case title
      /// The connection broke, or the server asks for patience.
      case reconnecting
      /// It goes on; nothing is lost.
      case resumed
      /// It goes on; what was sent meanwhile is lost.
      case gap
      /// An entry of a playlist cannot be played.
      case skipped
    }

    package let kind: Kind
    /// The address, as messages have it.
    package let stream: String
    /// A sentence without the address.
    package let message: String
    package var title: String?
    /// Of the sound of the stream.
    package var seconds: Double?

    package init(
      _ kind: Kind, _ stream: String, _ message: String, title: String? = nil,
      seconds: Double? = nil
    ) {
      self.kind = kind
      self.stream = stream
      self.message = message
      self.title = title
      self.seconds = seconds
    }
  }

  /// What nobody has taken; a station that sends a title a second does not fill the memory.
  private let items = Mutex<[Item]>([])
  private static let limit = 1000

  package init() {}

  func add(_ item: Item) {
    items.withLock { if $0.count < Self.limit { $0.append(item) } }
  }

  /// Hands over what has happened, in its order, apart from what applies later.
  ///
  /// - Parameter isDue: false for what the sound has not reached yet.
  package func take(where isDue: (Item) -> Bool = { _ in true }) -> [Item] {
    items.withLock { items in
      let due = items.filter(isDue)
      if !due.isEmpty { items.removeAll(where: isDue) }
      return due
    }
  }
}
