public import FxAudio
import Synchronization

/// Units of your own, for the chains that name them.
///
///     let chain = Chain(json: #"{ "version": 2, "chain": [ { "unit": "trim", "parameters": { "gain": "-3 dB" } } ] }"#,
///       units: [Trim.self])
///
/// A unit whose declaration has a mistake, or that has the name of another unit, is reported for each node
/// that uses it.
public struct UnitSet: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// A unit's type.
  public typealias Element = any (UnitKernel & ~Copyable).Type

  private struct Entry: Sendable {
    let type: UnitType
    /// The kernel, or the type of a node of the program, which the entry keeps.
    let identity: ObjectIdentifier
  }

  private var entries: [Entry] = []

  public init(_ units: [Element] = []) {
    for unit in units { insert(unit) }
  }

  /// Nodes of the program: each is a unit with the node's name.
  public init(_ nodes: any ProgramNode...) {
    for node in nodes { insert(node) }
  }

  public mutating func insert(_ node: any ProgramNode) {
    insert(node.type, of: ObjectIdentifier(node.type))
  }

  public init(arrayLiteral units: Element...) { self.init(units) }

  package var types: [UnitType] { entries.map(\.type) }

  /// The names of the units.
  public var names: [String] { types.map(\.spec.id) }

  public mutating func insert(_ unit: Element) {
    func type<Kernel: UnitKernel & ~Copyable>(of kernel: Kernel.Type) -> UnitType { .own(kernel) }
    insert(type(of: unit), of: ObjectIdentifier(unit))
  }

  /// Adds a type once.
  package mutating func insert(_ type: UnitType, of identity: ObjectIdentifier) {
    guard !entries.contains(where: { $0.identity == identity }) else { return }
    entries.append(Entry(type: type, identity: identity))
  }

  public static func + (left: UnitSet, right: UnitSet) -> UnitSet {
    var sum = left
    for entry in right.entries { sum.insert(entry.type, of: entry.identity) }
    return sum
  }

  public static func == (left: UnitSet, right: UnitSet) -> Bool {
    left.entries.map(\.identity) == right.entries.map(\.identity)
  }

  public func hash(into hasher: inout Hasher) {
    for entry in entries { hasher.combine(entry.identity) }
  }

  private static let program = Mutex(UnitSet())

  /// The units that every chain of this process may name.
  package static var ofProgram: UnitSet { program.withLock { $0 } }

  /// Adds units that every chain of this process may name. Called before the first chain is read.
  package static func addToProgram(_ units: UnitSet) { program.withLock { $0 = $0 + units } }
}
