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

  /// The concrete entry points, which a kernel writes out because C function pointers cannot be
  /// made from a generic context:
  ///
  ///     package static let entry = UnitEntry(
  ///       render: { $0.kernel(Gain.self).pointee.render(RenderBlock(at: $1)) },
  ///       reset: { $0.kernel(Gain.self).pointee.reset() })
  static var entry: UnitEntry { get }

  /// Allocates everything the kernel will ever need.
  init(_ preparation: Preparation) throws(UnitError)

  /// Frames by which the output is late.
  var latency: Int { get }
  var tail: Tail { get }

  /// Renders one block.
  @_noLocks mutating func render(_ block: RenderBlock)
  /// Forgets all sound, as if newly made.
  @_noLocks mutating func reset()
}

extension RenderKernel where Self: ~Copyable {
  package var latency: Int { 0 }
  package var tail: Tail { .none }
}

/// A unit's entry points for a caller that does not know its type.
package struct UnitEntry: BitwiseCopyable, Sendable {
  package typealias Render = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void
  package typealias Reset = @convention(c) (UnsafeMutableRawPointer) -> Void

  /// Takes the unit's state and a pointer to a `RenderBlock`.
  package let render: Render
  package let reset: Reset

  package init(render: Render, reset: Reset) {
    self.render = render
    self.reset = reset
  }
}

extension UnsafeMutableRawPointer {
  /// The kernel that this points to.
  package func kernel<Kernel: ~Copyable>(_ type: Kernel.Type) -> UnsafeMutablePointer<Kernel> {
    assumingMemoryBound(to: Kernel.self)
  }
}

extension RenderBlock {
  /// The block behind the pointer that a `UnitEntry` receives.
  @_noLocks @inline(__always)
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
