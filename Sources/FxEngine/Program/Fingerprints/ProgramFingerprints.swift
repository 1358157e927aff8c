import FxAudio

/// The fingerprints of a program: those of its sources and sinks, and those of each step.
struct ProgramFingerprints: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the render thread writes; other threads read when the render has ended.
  private let ports: UnsafePointer<SideFingerprint>
  private let sounds: UnsafePointer<SourceFingerprint>
  private let sourceCount: Int
  private let count: Int

  init(sources: [SideFingerprint], sinks: [SideFingerprint], in arena: inout Arena) {
    ports = UnsafePointer(arena.allocate(sources + sinks))
    sounds = UnsafePointer(arena.allocate(sources.map { SourceFingerprint(of: $0, in: &arena) }))
    sourceCount = sources.count
    count = sources.count + sinks.count
  }

  func source(_ index: Int) -> RenderFingerprint.Side { ports[index].picture }
  func sound(_ index: Int) -> UInt64 { sounds[index].value }
  func sink(_ index: Int) -> RenderFingerprint.Side { ports[sourceCount + index].picture }

  // MARK: - Realtime

  @_noLocks
  func noteSources(frameCount: Int) {
    for index in 0..<sourceCount {
      ports[index].note(offset: 0, frameCount: frameCount)
      sounds[index].note(frameCount: frameCount)
    }
  }

  @_noLocks
  func noteSinks(frameCount: Int) {
    for index in sourceCount..<count { ports[index].note(offset: 0, frameCount: frameCount) }
  }
}

/// The fingerprints of a step: its input before it runs, and its output after it.
struct FingerprintedStep: BitwiseCopyable {
  var input: SideFingerprint?
  var output: SideFingerprint?
  /// The unit's own output, recorded where the node's output comes from another step.
  var wet: SideFingerprint?
}

extension OperationSection {
  // MARK: - Realtime

  /// Renders, and takes the fingerprint of each node's input before it runs, and of its output.
  @_noLocks
  func renderWithFingerprints(_ block: BlockPlace) {
    let slice = slice.pointee
    var place = block
    while place.offset < block.frameCount {
      place.frameCount = min(slice, block.frameCount - place.offset)
      let (offset, run) = (place.offset, place.frameCount)
      for index in 0..<count {
        if let input = fingerprints[index].input { input.note(offset: offset, frameCount: run) }
        operations[index].render(place)
        if let output = fingerprints[index].output { output.note(offset: offset, frameCount: run) }
        if let wet = fingerprints[index].wet { wet.note(offset: offset, frameCount: run) }
      }
      place.offset += run
      place.frame += run
    }
  }
}

/// Assigns fingerprints to the steps of each node.
struct FingerprintTable {
  /// By node: the fingerprints allocated so far.
  private(set) var inputs: [Int: SideFingerprint] = [:]
  private(set) var outputs: [Int: SideFingerprint] = [:]
  /// For nodes whose output is mixed with their input, if they are recorded.
  private(set) var wets: [Int: SideFingerprint] = [:]
  /// Recorded frames of each side.
  let recordedFrameCount: Int

  /// The fingerprints of a step: the input of a unit, and the output of a node's last step.
  mutating func entry(
    _ step: RenderPlan.Step, blended: Set<Int>, _ buffers: [BlockBuffer],
    in arena: inout Arena
  ) -> FingerprintedStep {
    var entry = FingerprintedStep()
    func side(_ numbers: [Int], _ arena: inout Arena) -> SideFingerprint {
      SideFingerprint(
        numbers.map { UnsafePointer(buffers[$0].first) }, recording: recordedFrameCount, in: &arena)
    }
    switch step {
    case .run(let node, let inputs, let outputs):
      let fingerprint = side(inputs, &arena)
      self.inputs[node] = fingerprint
      entry.input = fingerprint
      guard !blended.contains(node) else {
        if recordedFrameCount > 0 { entry.wet = side(outputs, &arena) }
        wets[node] = entry.wet
        break
      }
      let result = side(outputs, &arena)
      self.outputs[node] = result
      entry.output = result
    case .blend(let node, _, _, let outputs):
      let result = side(outputs, &arena)
      self.outputs[node] = result
      entry.output = result
    case .sum, .delay, .feedbackRead, .feedbackWrite: break
    }
    return entry
  }
}

/// The fingerprints of a program, after its render has ended.
extension RenderProgram {
  /// By node, in the plan's order: sources, units, sinks. Empty if no fingerprints were taken.
  package var fingerprints: [RenderFingerprint] {
    guard let programFingerprints else { return [] }
    var fingerprints = plan.sources.enumerated().map { index, port in
      RenderFingerprint(
        node: port.node, output: programFingerprints.source(index),
        sound: programFingerprints.sound(index))
    }
    for step in plan.steps {
      guard case .run(let node, _, _) = step else { continue }
      fingerprints.append(
        RenderFingerprint(
          node: node, input: fingerprintTable.inputs[node]?.picture,
          output: fingerprintTable.outputs[node]?.picture,
          wet: fingerprintTable.wets[node]?.picture,
          moved: memories[node]?.state.pointee.modulation?.moved ?? []))
    }
    return fingerprints
      + plan.sinks.enumerated().map { index, port in
        RenderFingerprint(node: port.node, input: programFingerprints.sink(index))
      }
  }
}
