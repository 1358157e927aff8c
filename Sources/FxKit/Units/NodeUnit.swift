import FxAudio
import Synchronization

/// An object of the program that a node renders: the state behind the unit's entry points.
///
/// The object stays alive as long as a unit instance uses it. One node at a time can render it.
protocol NodeObject: AnyObject, Sendable {
  var use: NodeUse { get }
  /// Called when no node renders it any more, before another one may.
  func end()
}

extension NodeObject {
  func end() {}
}

/// Whether a node renders the object now.
final class NodeUse: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// False if another node has taken it.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing)
      .exchanged
  }

  func release() { isTaken.store(false, ordering: .releasing) }
}

extension UnitType {
  /// The unit that renders an object: its entry points get the object itself as their state.
  ///
  /// - Parameter prepare: called for each new instance before it renders; allocates what it needs.
  convenience init<Object: NodeObject>(
    of object: Object, _ spec: UnitSpec, _ entry: UnitEntry,
    prepare: @escaping @Sendable (Object, Preparation) throws(Failure) -> Void = {
      _, _ throws(Failure) in
    }
  ) {
    if let mistake = spec.mistakes.first {
      self.init(refusing: spec, mistake)
      return
    }
    self.init(spec: spec, traits: { _ in UnitTraits() }) { preparation throws(Failure) in
      guard object.use.take() else {
        throw Failure("another node renders '\(spec.id)' already; each node needs its own object")
      }
      do throws(Failure) {
        try prepare(object, preparation)
      } catch {
        object.use.release()
        throw error
      }
      return UnitInstance(
        spec: spec, state: Unmanaged.passRetained(object).toOpaque(), entry: entry, latency: 0,
        tail: .none, readings: ReadingBoard(cellCount: 0), inbox: preparation.inbox
      ) { state in
        object.end()
        object.use.release()
        Unmanaged<Object>.fromOpaque(state).release()
      }
    }
  }
}
