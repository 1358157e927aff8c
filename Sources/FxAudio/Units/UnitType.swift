/// A type of unit and how to make one: a built-in unit, a unit of the program, or a plugin found by its URI.
public final class UnitType: Sendable {
  package let spec: UnitSpec
  /// Makes a prepared instance on the control thread.
  package let make: @Sendable (Preparation) throws(Failure) -> UnitInstance
  /// Throws for options that no instance can be made with.
  package let check: @Sendable (Preparation) throws(Failure) -> Void
  /// The traits that an instance will have; nil for a plugin, which reports them once it is made.
  package let traits: (@Sendable (Preparation) -> UnitTraits)?
  /// The analyzer of the whole input before the render; nil where there is none.
  package let analyzer: @Sendable (Preparation) -> (any Analyzer)?
  /// A remark for the user about the measurement.
  package let remark: @Sendable (Preparation) -> String?
  /// The field names of a built-in's `Parameters`, which must equal the ids of the spec.
  package let parameterFields: @Sendable () -> [String]
  /// The field names of its list's `Item`.
  package let itemFields: @Sendable () -> [String]

  /// - Parameter traits: nil for a plugin.
  package init(
    spec: UnitSpec, traits: (@Sendable (Preparation) -> UnitTraits)? = nil,
    make: @escaping @Sendable (Preparation) throws(Failure) -> UnitInstance
  ) {
    self.spec = spec
    self.make = make
    self.traits = traits
    check = { _ in }
    analyzer = { _ in nil }
    remark = { _ in nil }
    parameterFields = { [] }
    itemFields = { [] }
  }

  /// The type of a unit that no node can have, because of a mistake in it.
  package init(refusing spec: UnitSpec, _ mistake: String) {
    let failure = Failure(.usage, "the unit '\(spec.id)' cannot be used: \(mistake)")
    self.spec = spec.withPossibleWidths
    make = { _ throws(Failure) in throw failure }
    check = { _ throws(Failure) in throw failure }
    traits = nil
    analyzer = { _ in nil }
    remark = { _ in nil }
    parameterFields = { [] }
    itemFields = { [] }
  }

  /// The type of a user's unit. Where its declaration has a mistake, or disagrees with its kernel, every
  /// node of it is refused with that reason.
  package static func own<Kernel: UnitKernel & ~Copyable>(_ type: Kernel.Type) -> UnitType {
    let spec = Kernel.spec
    guard let mistake = (spec.mistakes + mistakes(of: type)).first else { return UnitType(type) }
    return UnitType(refusing: spec, mistake)
  }

  private static func mistakes<Kernel: UnitKernel & ~Copyable>(of kernel: Kernel.Type) -> [String] {
    let spec = Kernel.spec
    for (what, size, count) in [
      ("Parameters", MemoryLayout<Kernel.Parameters>.size, spec.parameters.count),
      ("Item", MemoryLayout<Kernel.Item>.size, spec.list?.parameters.count ?? 0),
    ] where size != count * MemoryLayout<ParameterSignal>.stride {
      return [
        "its \(what) must have a ParameterSignal for each of the \(count) parameters and nothing else"
      ]
    }
    var found: [String] = []
    for (what, fields, ids) in [
      ("Parameters", fieldNames(of: Kernel.Parameters.self), spec.parameters.map(\.id)),
      ("Item", fieldNames(of: Kernel.Item.self), spec.list?.parameters.map(\.id) ?? []),
    ] where fields != ids {
      found.append(
        "its \(what) have the fields \(fields), and its declaration the parameters \(ids)")
    }
    return found
  }

  /// The type of a built-in unit.
  package convenience init<Kernel: UnitKernel & ~Copyable>(_ type: Kernel.Type) {
    self.init(type, spec: Kernel.spec)
  }

  /// The type of one of the units that a kernel implements.
  package init<Kernel: RenderKernel & ~Copyable>(_ type: Kernel.Type, spec: UnitSpec) {
    precondition(Kernel.entry.calls(Kernel.self), "\(spec.id): `entry` names another kernel")
    let (own, items) = (spec.parameters.count, spec.list?.parameters.count ?? 0)
    let stride = MemoryLayout<ParameterSignal>.stride
    precondition(
      MemoryLayout<Kernel.Parameters>.size == own * stride,
      "\(spec.id): `Parameters` and `spec.parameters` disagree")
    precondition(
      MemoryLayout<Kernel.Item>.size == items * stride,
      "\(spec.id): `Item` and the parameters of `spec.list` disagree")
    let traits: @Sendable (Preparation) -> UnitTraits = { preparation in
      Kernel.traits(spec.named(preparation))
    }
    self.spec = spec
    self.traits = traits
    check = { preparation throws(Failure) in
      try Kernel.check(spec.named(preparation))
    }
    analyzer = { preparation in
      Kernel.analyzer(spec.named(preparation))
    }
    remark = { Kernel.remark(spec.named($0)) }
    parameterFields = { fieldNames(of: Kernel.Parameters.self) }
    itemFields = { fieldNames(of: Kernel.Item.self) }
    make = { preparation throws(Failure) in
      var preparation = spec.named(preparation)
      let board = ReadingBoard(cellCount: spec.readingCellCount(preparation.outputWidths))
      preparation.readings = board
      let cell: KernelCell
      do throws(Failure) {
        cell = try KernelCell(making: Kernel.self, preparation)
      } catch {
        board.destroy()
        throw error
      }
      let known = traits(preparation)
      let prepared = preparation
      var entry = Kernel.entry
      if entry.isThroughConformance, spec.takesMIDI || !Kernel.rests {
        entry = UnitEntry(render: entry.render, reset: entry.reset)
      }
      return UnitInstance(
        spec: spec, state: cell.state, entry: entry, latency: known.latency,
        tail: known.tail, filterCount: known.filterCount, readings: board,
        inbox: preparation.inbox,
        moving: { values in
          var preparation = prepared
          preparation.parameters = values
          return traits(preparation)
        }
      ) { KernelCell.destroy($0, Kernel.self) }
    }
  }
}

/// The names of the stored properties of a struct of parameter signals.
private func fieldNames<Parameters: BitwiseCopyable>(of type: Parameters.Type) -> [String] {
  withUnsafeTemporaryAllocation(
    byteCount: MemoryLayout<Parameters>.size, alignment: MemoryLayout<Parameters>.alignment
  ) { memory in
    // A signal of zeros is a constant of 0.
    memory.initializeMemory(as: UInt8.self, repeating: 0)
    guard let address = memory.baseAddress else { return [] }
    return Mirror(reflecting: address.load(as: Parameters.self)).children.compactMap(\.label)
  }
}

extension UnitSpec {
  /// The preparation with the unit's name and revision.
  fileprivate func named(_ preparation: Preparation) -> Preparation {
    var preparation = preparation
    preparation.unit = id
    preparation.revision = revision
    return preparation
  }

  /// Reading cells of a node with these output widths.
  package func readingCellCount(_ outputWidths: [Int]) -> Int {
    readings.reduce(0) { $0 + ($1.isPerChannel ? outputWidths.first ?? 0 : 1) }
  }
}

/// One prepared unit.
///
/// Made, held and freed on the control thread; the engine takes `state` and `entry` with it onto
/// the render thread.
package final class UnitInstance: @unchecked Sendable {
  // Sendable: immutable after `init`; `state` is touched by one thread at a time, the render thread
  // while a program runs and the control thread before and after.
  package let spec: UnitSpec
  package let state: UnsafeMutableRawPointer
  package let entry: UnitEntry
  package let latency: Int
  /// The tail with the parameter values at preparation.
  package let tail: Tail
  /// See `UnitTraits`.
  package let filterCount: Int
  package let readings: ReadingBoard
  /// Its traits with other parameter values, in the chain's units of measure; nil for a plugin.
  package let moving: (@Sendable ([Double]) -> UnitTraits)?
  /// The values that a plugin reports while it renders; nil for a built-in unit, whose latency is
  /// fixed.
  package let monitor: UnitMonitor?
  /// True when the latency that the monitor reports may change while the unit renders.
  package let latencyMoves: Bool
  /// Clears all sound of the unit where `entry.reset` cannot: it deactivates and activates a
  /// plugin. On the control thread, while nothing renders the unit. nil where this is not possible.
  package let restart: (@Sendable () -> Void)?
  /// Details of a fault in addition to its kind: `segmentation fault (SIGSEGV)`. On the control
  /// thread.
  package let faultDetail: (@Sendable () -> String?)?
  /// The values of a plugin's control inputs, in their own units of measure. While the plugin
  /// renders, they may come from two different blocks. nil where they are unknown.
  package let controls: (@Sendable () -> [PluginState.Port])?
  /// Asks a plugin for a property by its URI and waits at most this many seconds; nil for no
  /// answer. Blocks the calling thread while the plugin renders. nil where a plugin cannot be
  /// asked.
  package let property: (@Sendable (String, Double) -> PluginSetup.Value?)?
  /// The owner of the ring that the unit reads on the render thread. It must live as long as the unit, which
  /// may sound on after its chain was replaced.
  private let inbox: MIDIInbox?
  private let destroy: @Sendable (UnsafeMutableRawPointer) -> Void

  /// `destroy` frees the state; the instance frees its readings and its monitor.
  package init(
    spec: UnitSpec, state: UnsafeMutableRawPointer, entry: UnitEntry, latency: Int, tail: Tail,
    filterCount: Int = 0, readings: ReadingBoard, inbox: MIDIInbox? = nil,
    monitor: UnitMonitor? = nil,
    latencyMoves: Bool = true,
    moving: (@Sendable ([Double]) -> UnitTraits)? = nil,
    restart: (@Sendable () -> Void)? = nil, faultDetail: (@Sendable () -> String?)? = nil,
    controls: (@Sendable () -> [PluginState.Port])? = nil,
    property: (@Sendable (String, Double) -> PluginSetup.Value?)? = nil,
    destroy: @escaping @Sendable (UnsafeMutableRawPointer) -> Void
  ) {
    self.spec = spec
    self.state = state
    self.entry = entry
    self.latency = latency
    self.tail = tail
    self.filterCount = filterCount
    self.readings = readings
    self.inbox = inbox
    self.moving = moving
    self.monitor = monitor
    self.latencyMoves = latencyMoves && monitor != nil
    self.restart = restart
    self.faultDetail = faultDetail
    self.controls = controls
    self.property = property
    self.destroy = destroy
  }

  deinit {
    destroy(state)
    readings.destroy()
    monitor?.destroy()
  }
}
