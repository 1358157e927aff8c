import FxAudio
import FxGraph

/// The prints of a program: of its sources and sinks, and beside each step of its sections.
struct ProgramPrints: BitwiseCopyable, @unchecked Sendable {
  // Sendable: the render thread writes; they are read when the render has ended.
  private let ports: UnsafePointer<SidePrint>
  private let sounds: UnsafePointer<SourcePrint>
  private let sourceCount: Int
  private let count: Int

  init(sources: [SidePrint], sinks: [SidePrint], in arena: inout Arena) {
    ports = UnsafePointer(arena.allocate(sources + sinks))
    sounds = UnsafePointer(arena.allocate(sources.map { SourcePrint(of: $0, in: &arena) }))
    sourceCount = sources.count
    count = sources.count + sinks.count
  }

  func source(_ index: Int) -> RenderPrint.Side { ports[index].picture }
  func sound(_ index: Int) -> UInt64 { sounds[index].value }
  func sink(_ index: Int) -> RenderPrint.Side { ports[sourceCount + index].picture }

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

/// What of a step is looked at: what it is about to read, and what it has made.
struct PrintedStep: BitwiseCopyable {
  var input: SidePrint?
  var output: SidePrint?
  /// What is noted where the output is another step's.
  var wet: SidePrint?
}

extension OperationSection {
  // MARK: - Realtime

  /// Renders with a look at what goes into each node, before it runs, and at what comes out.
  @_noLocks
  func renderPrinted(frame: Int, frameCount: Int) {
    let slice = slice.pointee
    var offset = 0
    while offset < frameCount {
      let run = min(slice, frameCount - offset)
      for index in 0..<count {
        if let input = prints[index].input { input.note(offset: offset, frameCount: run) }
        operations[index].render(frame: frame + offset, offset: offset, frameCount: run)
        if let output = prints[index].output { output.note(offset: offset, frameCount: run) }
        if let wet = prints[index].wet { wet.note(offset: offset, frameCount: run) }
      }
      offset += run
    }
  }
}

/// Which steps of which node are looked at.
struct PrintTable {
  /// By node: the sides that were laid out.
  private(set) var inputs: [Int: SidePrint] = [:]
  private(set) var outputs: [Int: SidePrint] = [:]
  /// Of nodes whose output is mixed with what went in, where they are recorded.
  private(set) var wets: [Int: SidePrint] = [:]
  /// Frames of each side that are kept.
  let recordedFrameCount: Int

  /// What is looked at beside a step: the input of a unit, and the last that its node makes.
  mutating func entry(
    _ step: RenderPlan.Step, blended: Set<Int>, _ buffers: [UnsafeMutablePointer<Float>],
    in arena: inout Arena
  ) -> PrintedStep {
    var entry = PrintedStep()
    func side(_ numbers: [Int], _ arena: inout Arena) -> SidePrint {
      SidePrint(
        numbers.map { UnsafePointer(buffers[$0]) }, recording: recordedFrameCount, in: &arena)
    }
    switch step {
    case .run(let node, let inputs, let outputs):
      let print = side(inputs, &arena)
      self.inputs[node] = print
      entry.input = print
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

/// What a program that prints its nodes has seen, once its render has ended.
extension RenderProgram {
  /// By node, in the plan's order: sources, units, sinks. Empty where nothing was looked at.
  package var prints: [RenderPrint] {
    guard let programPrints else { return [] }
    var prints = plan.sources.enumerated().map { index, port in
      RenderPrint(
        node: port.node, output: programPrints.source(index), sound: programPrints.sound(index))
    }
    for step in plan.steps {
      guard case .run(let node, _, _) = step else { continue }
      prints.append(
        RenderPrint(
          node: node, input: printTable.inputs[node]?.picture,
          output: printTable.outputs[node]?.picture, wet: printTable.wets[node]?.picture))
    }
    return prints
      + plan.sinks.enumerated().map { index, port in
        RenderPrint(node: port.node, input: programPrints.sink(index))
      }
  }
}
