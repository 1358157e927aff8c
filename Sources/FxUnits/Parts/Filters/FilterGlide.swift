/// The coefficients of filters that move to new designs, for a `FilterCascade`.
///
/// Render thread.
///
/// The filters do not change at once. At each point of the control grid their target is the mean of
/// the designs of the last few points; between two points they move on a straight line, frame by
/// frame. The line is straight because every mean of two stable filters is then stable. The target
/// is a mean because a line that begins or ends at full speed is audible as a click.
struct FilterGlide: ~Copyable {
  /// The number of designs in a mean: five milliseconds.
  let pointCount: Int
  private let sectionCount: Int
  private let passCount: Int
  /// Passes × twelve rows: six for the start of the lines, six for what each frame adds.
  private let rows: UnsafeMutablePointer<Double>
  /// Sections × the designs of the last points, in a ring.
  private let designs: UnsafeMutablePointer<Double>
  /// For each section, the points until it arrives; below 0 the section is still.
  private let remaining: UnsafeMutablePointer<Int>
  private var slot = 0
  /// The number of sections that have not arrived.
  private(set) var movingCount = 0

  private static var width: Int { @_noLocks get { 6 } }
  private static var row: Int { @_noLocks get { FilterCascade.row } }

  init(sectionCount: Int, passCount: Int, sampleRate: Double) {
    pointCount = Self.pointCount(sampleRate: sampleRate)
    self.sectionCount = sectionCount
    self.passCount = passCount
    rows = .allocate(capacity: max(1, passCount * 12 * Self.row))
    rows.initialize(repeating: 0, count: passCount * 12 * Self.row)
    designs = .allocate(capacity: max(1, sectionCount * pointCount * Self.width))
    designs.initialize(repeating: 0, count: sectionCount * pointCount * Self.width)
    remaining = .allocate(capacity: max(1, sectionCount))
    remaining.initialize(repeating: -1, count: sectionCount)
    // Lanes without a section pass the signal unchanged.
    for pass in 0..<passCount {
      let rows = rows + pass * 12 * Self.row
      (rows + 3 * Self.row).update(repeating: 1, count: Self.row)
      for lane in FilterCascade.spareLanes(sectionCount: sectionCount, pass: pass) {
        for number in [4, 5, 10, 11] { rows[number * Self.row + lane] = -0.0 }
      }
    }
  }

  private static func pointCount(sampleRate: Double) -> Int {
    let points = 0.005 * sampleRate / Double(ControlGrid.interval)
    return points < 64 ? max(2, Int(max(0, points) + 0.5)) : 64
  }

  /// The bytes that a glide with these counts allocates.
  static func byteCount(sectionCount: Int, passCount: Int, sampleRate: Double) -> Int {
    (passCount * 12 * row + sectionCount * pointCount(sampleRate: sampleRate) * width)
      * MemoryLayout<Double>.stride + sectionCount * MemoryLayout<Int>.stride
  }

  deinit {
    rows.deallocate()
    designs.deallocate()
    remaining.deallocate()
  }

  // MARK: - Realtime

  /// The rows of a pass, in the layout that the kernel reads.
  @_noLocks
  func rows(pass: Int) -> UnsafePointer<Double> {
    UnsafePointer(rows + pass * 12 * Self.row)
  }

  /// Keeps a section where it is.
  @_noLocks
  mutating func hold(_ index: Int, _ section: FilterSection) {
    if remaining[index] >= 0 { movingCount -= 1 }
    remaining[index] = -1
    for number in 0..<Self.width { place(index, number, at: section.glideNumber(number), step: 0) }
  }

  /// Starts to move a section to a new design, at a point of the grid.
  @_noLocks
  mutating func head(_ index: Int, from old: FilterSection) {
    if remaining[index] < 0 {
      movingCount += 1
      let ring = designs + index * pointCount * Self.width
      for number in 0..<Self.width {
        let value = old.glideNumber(number)
        for point in 0..<pointCount { ring[point * Self.width + number] = value }
      }
    }
    remaining[index] = pointCount
  }

  /// Starts the lines from this point of the grid to the next one.
  ///
  /// - Parameter targets: For each section, the design that applies from this point on.
  @_noLocks
  mutating func startPiece(_ targets: UnsafePointer<FilterSection>) {
    for index in 0..<sectionCount where remaining[index] >= 0 {
      if remaining[index] == 0 {
        hold(index, targets[index])
        continue
      }
      remaining[index] -= 1
      let design = designs + (index * pointCount + slot) * Self.width
      let row = lane(index)
      for number in 0..<Self.width {
        let target = targets[index].glideNumber(number)
        let last = row[number * Self.row]
        let start = last + Double(ControlGrid.interval) * row[(number + 6) * Self.row]
        let change = target - design[number]
        design[number] = target
        place(
          index, number, at: start, step: change / Double(pointCount * ControlGrid.interval))
      }
    }
    slot = slot + 1 == pointCount ? 0 : slot + 1
  }

  /// The address of a section's first value in the first row.
  @_noLocks
  private func lane(_ index: Int) -> UnsafeMutablePointer<Double> {
    let pass = index / FilterCascade.filtersPerPass
    return rows + (pass * 12 * Self.row + 2 * (index - pass * FilterCascade.filtersPerPass))
  }

  @_noLocks
  private func place(_ index: Int, _ number: Int, at start: Double, step: Double) {
    let numbers = lane(index) + number * Self.row
    // The kernel relies on -0 becoming 0.
    numbers[0] = start + 0
    numbers[1] = start + 0
    numbers[6 * Self.row] = step
    numbers[6 * Self.row + 1] = step
  }
}

extension FilterSection {
  // MARK: - Realtime

  /// The coefficients of the form with an unscaled first state, in the order of the kernel's rows.
  @_noLocks
  fileprivate func glideNumber(_ index: Int) -> Double {
    switch index {
    case 0: a
    case 1: a / g
    case 2: c
    case 3: d
    case 4: p * g
    default: q
    }
  }
}
