/// A built-in unit that describes itself. It is one file in FxUnits and one line in `BuiltInUnits`.
package protocol UnitKernel: RenderKernel, ~Copyable {
  static var spec: UnitSpec { get }
}

/// What renders a unit: a noncopyable value that owns its memory, made on the control thread,
/// rendered on the render thread.
///
/// A kernel allocates in `init`, frees in `deinit`, and does neither in between. One kernel may
/// serve several units of one kind; `Preparation.unit` says which.
package protocol RenderKernel: ~Copyable, SendableMetatype {
  /// One `ParameterSignal` a parameter of the spec, under the same names in the same order.
  associatedtype Parameters: BitwiseCopyable
  /// One `ParameterSignal` a parameter of the spec's list, under the same names in the same order.
  /// Items follow the unit's own parameters in a block.
  associatedtype Item: BitwiseCopyable = NoItem

  /// The concrete entry points, which a kernel writes out because C function pointers cannot be
  /// made from a generic context:
  ///
  ///     package static let entry = UnitEntry(
  ///       render: { $0.kernel(Gain.self)?.pointee.render(RenderBlock(at: $1)) },
  ///       reset: { $0.kernel(Gain.self)?.pointee.reset() })
  ///
  /// `UnitType` refuses entry points that name another kernel.
  static var entry: UnitEntry { get }

  /// Refuses options that no kernel can be made with, as far as that depends on no input: mistakes of
  /// the chain.
  static func check(_ preparation: Preparation) throws(UnitError)

  /// What the kernel will be, found without allocating what it needs.
  static func traits(_ preparation: Preparation) -> UnitTraits

  /// What measures its whole input before it renders; nil for a unit that `UnitSpec.measures` says
  /// nothing of.
  static func analyzer(_ preparation: Preparation) -> (any Analyzer)?

  /// What a user should know of what was measured; nil for nothing. Starts with what follows the
  /// node's name: `target missed by 1.2 LU`.
  static func remark(_ preparation: Preparation) -> String?

  /// Allocates everything the kernel will ever need: the memory that its traits name.
  init(_ preparation: Preparation) throws(UnitError)

  /// Renders one block.
  @_noLocks mutating func render(_ block: RenderBlock)
  /// Forgets all sound, as if newly made.
  @_noLocks mutating func reset()
  // A kernel that can rest in silence also has an `isAtRest` and, where it needs one, a `rest`; one that
  // is nothing but filters has a `join`; one that does next to nothing, a `renderChecked`: see
  // `UnitEntry`.
}

extension RenderKernel where Self: ~Copyable {
  package static func check(_ preparation: Preparation) throws(UnitError) {}
  package static func traits(_ preparation: Preparation) -> UnitTraits { UnitTraits() }
  package static func analyzer(_ preparation: Preparation) -> (any Analyzer)? { nil }
  package static func remark(_ preparation: Preparation) -> String? { nil }
}

/// The item of a unit without a list.
package struct NoItem: BitwiseCopyable {}

/// A unit's entry points for a caller that does not know its type.
package struct UnitEntry: BitwiseCopyable, Sendable {
  package typealias Render = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  package typealias RenderChecked =
    @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Bool
  package typealias Reset = @convention(c) (UnsafeMutableRawPointer) -> Void
  package typealias IsAtRest = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Bool
  package typealias Join =
    @convention(c) (
      UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeMutableRawPointer
    ) -> Bool

  /// Takes the unit's state and a pointer to a `RenderBlock`.
  package let render: Render
  /// Does what `render` does, and says whether every sample of the outputs is a finite number. nil for a
  /// unit whose outputs the engine looks through, as it does for all but the cheapest.
  package let renderChecked: RenderChecked?
  package let reset: Reset
  /// Says whether the unit is at rest: whether its outputs stay silent for as long as its inputs do.
  /// A channel is silent while its samples are zeros of one sign. Asked with a block whose inputs are
  /// silent and whose parameters are constant; writes to no channel. nil for a unit that never rests.
  package let isAtRest: IsAtRest?
  /// Moves on what a unit at rest still counts or shows, as `render` would for the block. Writes to no
  /// channel. nil for a unit that neither counts nor shows anything.
  package let rest: Render?
  /// Puts down the unit's filters where the third pointer says, as `StillFilters`, for a
  /// render of the whole block that is not this unit's: its filters run together with those of its
  /// neighbours. False where `render` would do more, or otherwise. nil for a unit that has no
  /// `UnitTraits.filterCount`.
  package let join: Join?

  package init(
    render: Render, reset: Reset, isAtRest: IsAtRest? = nil, rest: Render? = nil,
    join: Join? = nil, renderChecked: RenderChecked? = nil
  ) {
    self.render = render
    self.reset = reset
    self.isAtRest = isAtRest
    self.rest = rest
    self.join = join
    self.renderChecked = renderChecked
  }
}

extension RenderBlock {
  /// The block behind the pointer that a `UnitEntry` receives.
  @_noLocks @inlinable @inline(__always)
  package init(at pointer: UnsafeRawPointer) {
    self = pointer.assumingMemoryBound(to: RenderBlock.self).pointee
  }
}

/// Why a unit could not be made.
package struct UnitError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case missingFeature, instantiationFailed, badOption, fileUnreadable
  }

  package let code: Code
  package let message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { message }
}
