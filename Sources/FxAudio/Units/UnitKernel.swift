/// A unit: a declaration, and a noncopyable value that renders it.
///
/// A built-in unit is one file in FxUnits and one line in `BuiltInUnits`. A unit of your own is given to
/// the chains that use it:
///
///     struct Trim: UnitKernel, ~Copyable {
///       static let spec = UnitSpec(
///         "trim", summary: "Changes the level.", parameters: [.gain("gain", "The level change.")])
///
///       struct Parameters: BitwiseCopyable { let gain: ParameterSignal }
///
///       init(_ preparation: Preparation) {}
///
///       @_noLocks
///       mutating func render(_ block: RenderBlock) {
///         let gain = block.parameterStorage.load(as: Parameters.self).gain
///         for channel in 0..<block.outputCount {
///           let (input, output) = (block.inputs[channel], block.outputs[channel])
///           for frame in 0..<block.frameCount { output[frame] = input[frame] * gain[frame] }
///         }
///       }
///
///       @_noLocks
///       mutating func reset() {}
///     }
///
/// `@_noLocks` lets the compiler check that `render` and all that it calls neither allocate nor lock.
public protocol UnitKernel: RenderKernel, ~Copyable {
  static var spec: UnitSpec { get }
}

/// Renders a unit: a noncopyable value that owns its memory. It is made on the control thread and
/// renders on the render thread.
///
/// A kernel allocates in `init`, frees in `deinit`, and does neither in between. One kernel may
/// implement several units; `Preparation.unit` says which.
public protocol RenderKernel: ~Copyable, SendableMetatype {
  /// One `ParameterSignal` per parameter of the spec, with the same names in the same order. A kernel
  /// loads them from `RenderBlock.parameterStorage`.
  associatedtype Parameters: BitwiseCopyable = NoParameters
  /// One `ParameterSignal` per parameter of the spec's list, with the same names in the same order.
  /// In a block, the items follow the unit's own parameters.
  associatedtype Item: BitwiseCopyable = NoParameters

  /// The entry points. The default reaches the kernel through its conformance. A built-in kernel writes
  /// its own, which cost one call less:
  ///
  ///     package static let entry = UnitEntry(
  ///       render: { $0.kernel(Gain.self)?.pointee.render(RenderBlock(at: $1)) },
  ///       reset: { $0.kernel(Gain.self)?.pointee.reset() })
  ///
  /// `UnitType` rejects entry points that name another kernel.
  static var entry: UnitEntry { get }

  /// Throws for options that no kernel can be made with: mistakes in the chain. It does not depend
  /// on the inputs.
  static func check(_ preparation: Preparation) throws(Failure)

  /// The traits that the kernel will have. Does not allocate the kernel's memory.
  static func traits(_ preparation: Preparation) -> UnitTraits

  /// The analyzer of the unit's whole input before the render; nil for a unit without
  /// `UnitSpec.measures`.
  static func analyzer(_ preparation: Preparation) -> (any Analyzer)?

  /// A remark for the user about the measurement; nil for none. It follows the node's name:
  /// `target missed by 1.2 LU`.
  static func remark(_ preparation: Preparation) -> String?

  /// Allocates all memory that the kernel will need, as its traits say.
  init(_ preparation: Preparation) throws(Failure)

  /// Renders one block.
  @_noLocks mutating func render(_ block: RenderBlock)
  /// Clears all sound, as if newly made.
  @_noLocks mutating func reset()
  /// Returns whether the unit is at rest: its outputs stay silent as long as its inputs do. A
  /// channel is silent while its samples are zeros of one sign. Called with a block whose inputs
  /// are silent and whose parameters are constant; writes to no channel. Used by the default `entry` of a
  /// kernel that `rests`.
  @_noLocks mutating func isAtRest(_ block: RenderBlock) -> Bool
  /// True for a kernel with an `isAtRest` of its own. By default false: such a unit never rests, and the
  /// engine need not look for silence before it. Ignored for a unit that takes MIDI.
  static var rests: Bool { get }
  // Optional entry points, see `UnitEntry`: `isAtRest` for a kernel that can rest in silence, and
  // `rest` where it needs one; `join` for a kernel that consists of filters only.
}

extension RenderKernel where Self: ~Copyable {
  public static func check(_ preparation: Preparation) throws(Failure) {}
  public static func traits(_ preparation: Preparation) -> UnitTraits { UnitTraits() }
  public static func analyzer(_ preparation: Preparation) -> (any Analyzer)? { nil }
  public static func remark(_ preparation: Preparation) -> String? { nil }
  public static var entry: UnitEntry { .throughConformance }
  @_noLocks
  public mutating func isAtRest(_ block: RenderBlock) -> Bool { false }
  public static var rests: Bool { false }
}

/// The parameters of a unit that has none, and the item of a unit without a list.
public struct NoParameters: BitwiseCopyable {}

/// A unit's entry points, for a caller that does not know its type.
public struct UnitEntry: BitwiseCopyable, Sendable {
  package typealias Render = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  package typealias Reset = @convention(c) (UnsafeMutableRawPointer) -> Void
  package typealias IsAtRest = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Bool
  package typealias Join =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer
    ) -> Bool

  /// Takes the unit's state and a pointer to a `RenderBlock`.
  package let render: Render
  package let reset: Reset
  /// Returns whether the unit is at rest: its outputs stay silent as long as its inputs do. A
  /// channel is silent while its samples are zeros of one sign. Called with a block whose inputs
  /// are silent and whose parameters are constant; writes to no channel. nil for a unit that never
  /// rests.
  package let isAtRest: IsAtRest?
  /// Advances the counters and readings of a unit at rest, as `render` would for the block. Writes
  /// to no channel. nil for a unit that has neither.
  package let rest: Render?
  /// Stores the unit's filters at the third pointer, as `StillFilters`, so that another call can
  /// run them for the whole block together with the filters of its neighbours. False where `render`
  /// would do more or something different. nil for a unit that has no `UnitTraits.filterCount`.
  package let join: Join?

  package init(
    render: Render, reset: Reset, isAtRest: IsAtRest? = nil, rest: Render? = nil,
    join: Join? = nil
  ) {
    self.render = render
    self.reset = reset
    self.isAtRest = isAtRest
    self.rest = rest
    self.join = join
  }
}

extension RenderBlock {
  /// The block behind the pointer that a `UnitEntry` receives.
  @_noLocks @inlinable @inline(__always)
  package init(at pointer: UnsafeRawPointer) {
    self = pointer.assumingMemoryBound(to: RenderBlock.self).pointee
  }
}
