/// A kind of unit and how to make one: a built-in, or a plugin found by its URI.
package final class UnitType: Sendable {
  package let spec: UnitSpec
  /// Makes a prepared instance on the control thread.
  package let make: @Sendable (Preparation) throws(UnitError) -> UnitInstance
  /// Refuses options that no instance can be made with.
  package let check: @Sendable (Preparation) throws(UnitError) -> Void
  /// What an instance will be; nil for a plugin, which says it once it is made.
  package let traits: (@Sendable (Preparation) -> UnitTraits)?
  /// What measures its whole input before it renders; nil where nothing does.
  package let analyzer: @Sendable (Preparation) -> (any Analyzer)?
  /// What a user should know of what was measured.
  package let remark: @Sendable (Preparation) -> String?
  /// The fields of a built-in's `Parameters`, which are to be the ids of the spec.
  package let parameterFields: @Sendable () -> [String]
  /// The same of its list's `Item`.
  package let itemFields: @Sendable () -> [String]

  package init(
    spec: UnitSpec, make: @escaping @Sendable (Preparation) throws(UnitError) -> UnitInstance
  ) {
    self.spec = spec
    self.make = make
    check = { _ in }
    traits = nil
    analyzer = { _ in nil }
    remark = { _ in nil }
    parameterFields = { [] }
    itemFields = { [] }
  }

  /// The type of a built-in unit.
  package convenience init<Kernel: UnitKernel & ~Copyable>(_ type: Kernel.Type) {
    self.init(type, spec: Kernel.spec)
  }

  /// The type of one of the units that a kernel serves.
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
      var preparation = preparation
      preparation.unit = spec.id
      preparation.revision = spec.revision
      return Kernel.traits(preparation)
    }
    self.spec = spec
    self.traits = traits
    check = { preparation throws(UnitError) in
      var preparation = preparation
      preparation.unit = spec.id
      preparation.revision = spec.revision
      try Kernel.check(preparation)
    }
    analyzer = { preparation in
      var preparation = preparation
      preparation.unit = spec.id
      return Kernel.analyzer(preparation)
    }
    remark = { Kernel.remark($0) }
    parameterFields = { fieldNames(of: Kernel.Parameters.self) }
    itemFields = { fieldNames(of: Kernel.Item.self) }
    make = { preparation throws(UnitError) in
      var preparation = preparation
      preparation.unit = spec.id
      preparation.revision = spec.revision
      let board = ReadingBoard(cellCount: spec.readingCellCount(preparation.outputWidths))
      preparation.readings = board
      let cell: KernelCell
      do throws(UnitError) {
        cell = try KernelCell(making: Kernel.self, preparation)
      } catch {
        board.destroy()
        throw error
      }
      let known = traits(preparation)
      let prepared = preparation
      return UnitInstance(
        spec: spec, state: cell.state, entry: Kernel.entry, latency: known.latency,
        tail: known.tail, filterCount: known.filterCount, readings: board,
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
  /// Cells that a node with these outputs publishes.
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
  /// How long it sounds on with the values that it was prepared with.
  package let tail: Tail
  /// See `UnitTraits`.
  package let filterCount: Int
  package let readings: ReadingBoard
  /// Its traits with other values of its parameters, in the chain's units of measure; nil for a
  /// plugin.
  package let moving: (@Sendable ([Double]) -> UnitTraits)?
  /// What a plugin says of itself while it renders; nil for a built-in, whose latency is fixed.
  package let monitor: UnitMonitor?
  /// True when the latency that the monitor reports may change while the unit renders.
  package let latencyMoves: Bool
  /// Makes the unit forget all sound where `entry.reset` cannot, on the control thread while nobody
  /// renders it: a plugin is deactivated and activated. nil where there is no such way.
  package let restart: (@Sendable () -> Void)?
  /// What is known of a fault beside its kind: `segmentation fault (SIGSEGV)`. On the control thread.
  package let faultDetail: (@Sendable () -> String?)?
  /// What the control inputs of a plugin hold, in their own units of measure. While the plugin is
  /// rendered the answer may be a mixture of two blocks. nil where that is not known.
  package let controls: (@Sendable () -> [PluginState.Port])?
  /// What a plugin answers when it is asked for a property by its URI, within so many seconds; nil for
  /// no answer. Waits on the thread that calls it, while the plugin is rendered. nil where a plugin
  /// cannot be asked.
  package let property: (@Sendable (String, Double) -> PluginSetup.Value?)?
  private let destroy: @Sendable (UnsafeMutableRawPointer) -> Void

  /// `destroy` frees the state; the instance frees its readings and its monitor.
  package init(
    spec: UnitSpec, state: UnsafeMutableRawPointer, entry: UnitEntry, latency: Int, tail: Tail,
    filterCount: Int = 0, readings: ReadingBoard, monitor: UnitMonitor? = nil,
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
