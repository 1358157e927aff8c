/// The memory of a kernel, with a header before it that names its type.
///
/// Entry points reach a kernel only through `kernel(_:)`, which compares the type: entry points
/// written for another kernel get nil and touch nothing.
struct KernelCell {
  /// Where the kernel begins; the header lies before it.
  let state: UnsafeMutableRawPointer

  /// Bytes of the header: the conformance, the kernel's type, and a different type that a caller asked for.
  private static let headerBytes =
    MemoryLayout<KernelConformance>.stride + 2 * MemoryLayout<Int>.stride

  init<Kernel: RenderKernel & ~Copyable>(
    making kernel: Kernel.Type, _ preparation: Preparation
  ) throws(Failure) {
    let offset = Self.offset(of: Kernel.self)
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset + MemoryLayout<Kernel>.stride, alignment: offset)
    state = memory + offset
    do throws(Failure) {
      state.bindMemory(to: Kernel.self, capacity: 1).initialize(to: try Kernel(preparation))
    } catch {
      memory.deallocate()
      throw error
    }
    (state - Self.headerBytes).storeBytes(of: kernel, as: KernelConformance.self)
    (state - 2 * MemoryLayout<KernelName>.stride).storeBytes(
      of: KernelName(Kernel.self), as: KernelName.self)
  }

  static func destroy<Kernel: RenderKernel & ~Copyable>(
    _ state: UnsafeMutableRawPointer, _ kernel: Kernel.Type
  ) {
    state.kernel(Kernel.self)?.deinitialize(count: 1)
    (state - offset(of: Kernel.self)).deallocate()
  }

  private static func offset<Kernel: ~Copyable>(of kernel: Kernel.Type) -> Int {
    max(headerBytes, MemoryLayout<Kernel>.alignment)
  }
}

/// A kernel's type with its conformance.
private typealias KernelConformance = any (RenderKernel & ~Copyable).Type

extension UnitEntry {
  /// Entry points that find the kernel by the conformance in the header. It is a witness call: it costs a
  /// few instructions a block, and neither allocates nor counts references.
  static let throughConformance = UnitEntry(
    render: renderThroughConformance, reset: resetThroughConformance,
    isAtRest: restsThroughConformance)

  /// True for the entry points above, which no kernel has to name.
  var isThroughConformance: Bool {
    unsafeBitCast(render, to: UInt.self)
      == unsafeBitCast(UnitEntry.throughConformance.render, to: UInt.self)
  }
}

// A call through a conformance cannot be checked; the kernel is checked where it is written.
@_semantics("no_performance_analysis")
private func renderThroughConformance(
  _ state: UnsafeMutableRawPointer, _ block: UnsafeRawPointer
) {
  func call<Kernel: RenderKernel & ~Copyable>(_ type: Kernel.Type) {
    state.assumingMemoryBound(to: Kernel.self).pointee.render(RenderBlock(at: block))
  }
  call(state.conformance)
}

// A call through a conformance cannot be checked; the kernel is checked where it is written.
@_semantics("no_performance_analysis")
private func resetThroughConformance(_ state: UnsafeMutableRawPointer) {
  func call<Kernel: RenderKernel & ~Copyable>(_ type: Kernel.Type) {
    state.assumingMemoryBound(to: Kernel.self).pointee.reset()
  }
  call(state.conformance)
}

// A call through a conformance cannot be checked; the kernel is checked where it is written.
@_semantics("no_performance_analysis")
private func restsThroughConformance(
  _ state: UnsafeMutableRawPointer, _ block: UnsafeRawPointer
) -> Bool {
  func call<Kernel: RenderKernel & ~Copyable>(_ type: Kernel.Type) -> Bool {
    state.assumingMemoryBound(to: Kernel.self).pointee.isAtRest(RenderBlock(at: block))
  }
  return call(state.conformance)
}

extension UnsafeMutableRawPointer {
  /// The conformance of the kernel at this address.
  fileprivate var conformance: KernelConformance {
    let offset = 2 * MemoryLayout<KernelName>.stride + MemoryLayout<KernelConformance>.stride
    return (self - offset).load(as: KernelConformance.self)
  }
}

/// The identity of a kernel's type.
@usableFromInline
struct KernelName: BitwiseCopyable {
  @usableFromInline let identity: UInt

  @inlinable
  init<Kernel: ~Copyable>(_ kernel: Kernel.Type) {
    identity = UInt(bitPattern: ObjectIdentifier(Kernel.self))
  }

  /// No type.
  init() { identity = 0 }
}

extension UnsafeMutableRawPointer {
  /// The kernel at this address; nil for a kernel of another type, which is not touched.
  @inlinable @inline(__always)
  package func kernel<Kernel: ~Copyable>(
    _ type: Kernel.Type
  ) -> UnsafeMutablePointer<Kernel>? {
    let name = KernelName(Kernel.self)
    let header = self - 2 * MemoryLayout<KernelName>.stride
    if header.load(as: KernelName.self).identity == name.identity {
      return assumingMemoryBound(to: Kernel.self)
    }
    header.storeBytes(of: name, toByteOffset: MemoryLayout<KernelName>.stride, as: KernelName.self)
    return nil
  }
}

extension UnitEntry {
  /// True when all entry points ask for this kernel. Tests them on a header without a kernel, so
  /// nothing is rendered.
  package func calls<Kernel: RenderKernel & ~Copyable>(_ kernel: Kernel.Type) -> Bool {
    if isThroughConformance { return true }
    func asked(_ call: (UnsafeMutableRawPointer) -> Void) -> UInt {
      withUnsafeTemporaryAllocation(of: KernelName.self, capacity: 3) { header in
        header.initialize(repeating: KernelName())
        if let start = header.baseAddress { call(UnsafeMutableRawPointer(start + 2)) }
        return header[1].identity
      }
    }
    let name = KernelName(Kernel.self).identity
    let (isAtRest, rest, join) = (isAtRest, rest, join)
    return asked { render($0, UnsafeRawPointer($0)) } == name
      && asked { reset($0) } == name
      && (isAtRest == nil || asked { _ = isAtRest?($0, UnsafeRawPointer($0)) } == name)
      && (rest == nil || asked { rest?($0, UnsafeRawPointer($0)) } == name)
      && (join == nil || asked { _ = join?($0, UnsafeRawPointer($0), $0) } == name)
  }
}
