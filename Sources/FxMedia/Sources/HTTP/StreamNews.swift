import Synchronization

/// Events of streams while they are read, for whoever reports them.
package final class StreamNews: Sendable {
  package struct Item: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
      /// A station was found, from its headers.
      case station
      /// A title, which applies from `seconds` of the sound on.
      case title
      /// The connection broke, or the server asks to wait.
      case reconnecting
      /// Continues; nothing is lost.
      case resumed
      /// Continues; what was sent meanwhile is lost.
      case gap
      /// An entry of a playlist cannot be played.
      case skipped
    }

    package let kind: Kind
    /// The address as shown in messages.
    package let stream: String
    /// A message without the address.
    package let message: String
    package var title: String?
    /// The position in the stream's sound.
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

  /// Events that were not taken yet. The limit keeps a station with many titles from filling the
  /// memory.
  private let items = Mutex<[Item]>([])
  private static let limit = 1000

  package init() {}

  func add(_ item: Item) {
    items.withLock { if $0.count < Self.limit { $0.append(item) } }
  }

  /// Takes the events so far, in order, except for those that are not due yet.
  ///
  /// - Parameter isDue: false for an event that the sound has not reached yet.
  package func take(where isDue: (Item) -> Bool = { _ in true }) -> [Item] {
    items.withLock { items in
      let due = items.filter(isDue)
      if !due.isEmpty { items.removeAll(where: isDue) }
      return due
    }
  }
}
