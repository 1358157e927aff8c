import FxAudio

/// Calculates a control signal from other control signals, frame by frame.
struct Expression: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "expression", name: "Expression",
    summary: "Calculates a control signal from up to four others.", category: "modulation",
    options: [
      OptionSpec(
        "formula",
        "`a`, `b`, `c`, `d` (the inputs; 0 where nothing feeds them), `time` (seconds), `beat`, "
          + "`tempo`, `pi`, numbers, brackets, `+ - * /`, `< <= == != >= >` (1 or 0), `min(x, y)`, "
          + "`max(x, y)`, `abs(x)`, `floor(x)`, `sqrt(x)`, `sin(x)` (radians), `exp2(x)`, "
          + "`log2(x)`, `clamp(x, low, high)`, `select(condition, x, y)`. What is no number counts "
          + "as 0.",
        .formula(Self.variables), default: nil),
      OptionSpec(
        "low", "The least value of the output.", .number(.none, -1e6...1e6), default: .number(-1)),
      OptionSpec(
        "high", "The greatest value of the output.", .number(.none, -1e6...1e6),
        default: .number(1)),
    ],
    inputs: inputNames.map {
      InputBusSpec($0, width: .exactly(1), isOptional: true, isControl: true)
    },
    outputs: [.control("out", -1...1).ranging("low", "high")])

  private static let inputNames = ["a", "b", "c", "d"]
  private static let variables = inputNames + ["time", "beat", "tempo"]

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Expression.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Expression.self)?.pointee.reset() })

  private let sampleRate: Double
  private let low: Double
  private let high: Double
  /// For each input, its channel; negative if it is unconnected.
  private let channels: UnsafeMutablePointer<Int>
  private let instructions: UnsafeMutablePointer<Formula.Instruction>
  private let stack: UnsafeMutablePointer<Double>
  private let values: UnsafeMutablePointer<Double>
  private let program: Formula.Program
  private let usesBeats: Bool

  package static func check(_ preparation: Preparation) throws(Failure) {
    _ = try formula(preparation)
  }

  private static func formula(_ preparation: Preparation) throws(Failure) -> Formula {
    do throws(Failure) {
      return try Formula(preparation.text("formula") ?? "", variables: variables)
    } catch {
      throw Failure(.usage, "'formula' \(error.message)")
    }
  }

  package init(_ preparation: Preparation) throws(Failure) {
    let formula = try Self.formula(preparation)
    sampleRate = preparation.sampleRate
    low = preparation.number("low") ?? -1
    high = preparation.number("high") ?? 1
    let inputCount = Self.inputNames.count
    channels = .allocate(capacity: inputCount)
    var next = 0
    for index in 0..<inputCount {
      let width =
        preparation.inputWidths.indices.contains(index) ? preparation.inputWidths[index] : 0
      (channels + index).initialize(to: width > 0 ? next : -1)
      next += width
    }
    let count = formula.instructions.count
    instructions = .allocate(capacity: count)
    for (index, instruction) in formula.instructions.enumerated() {
      (instructions + index).initialize(to: instruction)
    }
    stack = .allocate(capacity: formula.depth)
    stack.initialize(repeating: 0, count: formula.depth)
    values = .allocate(capacity: Self.variables.count)
    values.initialize(repeating: 0, count: Self.variables.count)
    program = Formula.Program(instructions, count: count, stack: stack)
    usesBeats = formula.instructions.contains {
      $0.operation == .variable && $0.value > Double(inputCount)
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let formula = try? Formula(preparation.text("formula") ?? "", variables: Self.variables)
    return UnitTraits(
      memory: inputNames.count * MemoryLayout<Int>.stride
        + variables.count * MemoryLayout<Double>.stride
        + (formula?.instructions.count ?? 0) * MemoryLayout<Formula.Instruction>.stride
        + (formula?.depth ?? 0) * MemoryLayout<Double>.stride)
  }

  deinit {
    channels.deallocate()
    instructions.deallocate()
    stack.deallocate()
    values.deallocate()
  }

  // MARK: - Realtime

  private static var inputCount: Int {
    @_noLocks get { 4 }
  }

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let output = block.outputs[0]
    for frame in 0..<block.frameCount {
      for index in 0..<Self.inputCount where channels[index] >= 0 {
        values[index] = Double(block.inputs[channels[index]][frame])
      }
      let absolute = block.frame + frame
      values[Self.inputCount] = Double(absolute) / sampleRate
      if usesBeats {
        let stretch = block.time.stretch(at: absolute)
        values[Self.inputCount + 1] = stretch.beat(at: absolute)
        values[Self.inputCount + 2] = stretch.tempo(at: absolute)
      }
      let result = program.result(values)
      let sane = result == result ? result : 0
      output[frame] = Float(sane < low ? low : (sane > high ? high : sane))
    }
  }

  @_noLocks
  package mutating func reset() {}
}
