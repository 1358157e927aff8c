/// Arithmetic in a chain: numbers, variables, operators and functions, without loops or state. It
/// is compiled into instructions for a stack machine.
package struct Formula: Sendable, Equatable {
  package enum Operation: UInt8, BitwiseCopyable, Sendable {
    case number, variable
    case add, subtract, multiply, divide, negate
    case less, lessOrEqual, equal
    case minimum, maximum, absolute, floor, sine, exp2, log2, squareRoot, clamp, select

    /// The number of operands on the stack.
    var operandCount: Int {
      switch self {
      case .number, .variable: 0
      case .negate, .absolute, .floor, .sine, .exp2, .log2, .squareRoot: 1
      case .clamp, .select: 3
      default: 2
      }
    }
  }

  package struct Instruction: BitwiseCopyable, Sendable, Equatable {
    package let operation: Operation
    /// A number, or the index of a variable.
    package let value: Double
  }

  /// In the order of execution.
  package private(set) var instructions: [Instruction] = []
  /// The maximum stack size.
  package private(set) var depth = 0
  private var height = 0

  static let longestText = 1000
  /// The deepest nesting of parentheses.
  static let deepestNesting = 32

  /// Parses a text with these variables.
  package init(_ text: String, variables: [String]) throws(Failure) {
    self.init()
    var parser = FormulaParser(text, variables: variables)
    self = try parser.parsed()
  }

  init() {}

  mutating func append(_ operation: Operation, _ value: Double = 0) {
    instructions.append(Instruction(operation: operation, value: value))
    height += 1 - operation.operandCount
    depth = max(depth, height)
  }
}

extension Formula {
  /// The names of its functions; each operation knows its number of operands.
  static let functions: [(name: String, operation: Operation)] = [
    ("min", .minimum), ("max", .maximum), ("abs", .absolute), ("floor", .floor), ("sin", .sine),
    ("exp2", .exp2), ("log2", .log2), ("sqrt", .squareRoot), ("clamp", .clamp),
    ("select", .select),
  ]

  /// An executable list of instructions.
  package struct Program: BitwiseCopyable {
    private let instructions: UnsafePointer<Instruction>
    private let count: Int
    private let stack: UnsafeMutablePointer<Double>

    /// `stack` has room for the formula's `depth`.
    package init(
      _ instructions: UnsafePointer<Instruction>, count: Int, stack: UnsafeMutablePointer<Double>
    ) {
      self.instructions = instructions
      self.count = count
      self.stack = stack
    }

    // MARK: - Realtime

    /// The result for these values of the variables.
    @_noLocks
    package func result(_ variables: UnsafePointer<Double>) -> Double {
      var top = -1
      for index in 0..<count {
        let instruction = instructions[index]
        switch instruction.operation {
        case .number:
          top += 1
          stack[top] = instruction.value
        case .variable:
          top += 1
          stack[top] = variables[Int(instruction.value)]
        case .negate: stack[top] = -stack[top]
        case .absolute: stack[top] = stack[top].magnitude
        case .floor: stack[top] = Self.floor(stack[top])
        case .sine: stack[top] = Self.sine(stack[top])
        case .exp2: stack[top] = Math.exp2(stack[top])
        case .log2: stack[top] = Math.log2(stack[top])
        case .squareRoot: stack[top] = Math.squareRoot(stack[top])
        case .clamp, .select:
          top -= 2
          stack[top] = Self.chosen(
            instruction.operation, stack[top], stack[top + 1], stack[top + 2])
        default:
          top -= 1
          stack[top] = Self.joined(instruction.operation, stack[top], stack[top + 1])
        }
      }
      return top == 0 ? stack[0] : 0
    }

    @_noLocks
    private static func joined(_ operation: Operation, _ a: Double, _ b: Double) -> Double {
      switch operation {
      case .add: a + b
      case .subtract: a - b
      case .multiply: a * b
      case .divide: a / b
      case .less: a < b ? 1 : 0
      case .lessOrEqual: a <= b ? 1 : 0
      case .equal: a == b ? 1 : 0
      case .minimum: b < a ? b : a
      case .maximum: b > a ? b : a
      default: 0
      }
    }

    @_noLocks
    private static func chosen(
      _ operation: Operation, _ a: Double, _ b: Double, _ c: Double
    ) -> Double {
      switch operation {
      case .clamp: a < b ? b : (a > c ? c : a)
      case .select: a != 0 ? b : c
      default: 0
      }
    }

    @_noLocks
    private static func floor(_ x: Double) -> Double {
      // Larger numbers are whole, except halves below 2^52 (4.5e15), which stay as they are.
      guard x > -4e15, x < 4e15 else { return x }
      let whole = Double(Int(x))
      return whole > x ? whole - 1 : whole
    }

    @_noLocks
    private static func sine(_ x: Double) -> Double {
      let turns = x * 0.159_154_943_091_895_35
      guard turns > -1e12, turns < 1e12 else { return 0 }
      return Math.sin((turns - floor(turns)) * 6.283_185_307_179_586)
    }
  }
}
