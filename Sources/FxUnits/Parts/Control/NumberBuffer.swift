private import CKernels

/// Owned memory for numbers of double precision, initially 0, with functions that replace many
/// numbers at once.
///
/// Allocated on the control thread, used on the render thread. A function gives the same bits as
/// `Math` for one number, on every processor.
struct NumberBuffer: ~Copyable {
  package let numbers: UnsafeMutablePointer<Double>
  private let vectorLevel: Int32

  /// - Parameter vectorLevel: The instruction set to use: 0 is the one that every processor has,
  ///   nil the best available one.
  package init(count: Int, vectorLevel: Int? = nil) {
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    numbers = .allocate(capacity: max(count, 1))
    numbers.initialize(repeating: 0, count: max(count, 1))
  }

  /// The bytes that a buffer of this count allocates.
  package static func byteCount(count: Int) -> Int {
    max(count, 1) * MemoryLayout<Double>.stride
  }

  deinit { numbers.deallocate() }

  // MARK: - Realtime

  /// Replaces the first numbers, angles in radians, by their sines.
  @_noLocks
  func takeSines(count: Int) { fx_sines(vectorLevel, numbers, count) }

  /// Replaces the first numbers, angles in radians, by their cosines.
  @_noLocks
  func takeCosines(count: Int) { fx_cosines(vectorLevel, numbers, count) }

  /// Replaces the first numbers, angles in radians, by their tangents.
  @_noLocks
  func takeTangents(count: Int) { fx_tangents(vectorLevel, numbers, count) }

  /// Replaces the first numbers by 2 to their power.
  @_noLocks
  func takePowersOfTwo(count: Int) { fx_powers_of_two(vectorLevel, numbers, count) }

  /// Replaces the first numbers by their square roots.
  @_noLocks
  func takeSquareRoots(count: Int) { fx_square_roots(vectorLevel, numbers, count) }
}
