import CAllocations
public import FxAudio
import FxUnitRendering

/// What every unit must do, checked for one of yours.
///
///     @Test func `hold keeps the rules of a unit`() {
///       #expect(UnitConformance.problems(of: Hold.self) == [])
///     }
public struct UnitConformance: Sendable {
  /// A rule that a unit breaks.
  public struct Problem: Sendable, Hashable, CustomStringConvertible {
    public let rule: Rule
    /// What happened, with the widths and values that show it.
    public let message: String

    public var description: String { "\(rule.rawValue): \(message)" }
  }

  public enum Rule: String, Sendable, CaseIterable {
    /// Its declaration fits the kernel, and no value lies outside its range.
    case declaration
    /// It can be made and renders, with 1, 2 or 6 channels where its declaration allows them.
    case rendering
    /// Every split into blocks, and the output in the memory of the input, give the same bits, while
    /// parameters stand still and while they move.
    case sameBits
    /// Its output is finite at both ends of every range.
    case finite
    /// It is finite again after a sample that is NaN, infinite or huge, and after its tail.
    case recovery
    /// It turns silence into silence. Not checked for a unit without inputs.
    case silence
    /// After a reset, it renders as if newly made.
    case reset
    /// It neither allocates nor frees memory while it renders. Not checked under a sanitizer.
    case allocation
  }

  private let type: UnitType
  private let options: [String: OptionValue]
  private let sounds: [String: SoundAsset]

  /// Checks the rules.
  ///
  /// - Parameters:
  ///   - unit: the unit.
  ///   - options: the values of options that have no default, and of others that are to be checked.
  ///   - sounds: the sounds that options name, by the name in the option.
  ///   - rules: the rules to check. A unit that makes sound out of nothing leaves out `silence`.
  /// - Returns: each broken rule once for each setting that shows it.
  public static func problems<Kernel: UnitKernel & ~Copyable>(
    of unit: Kernel.Type, options: [String: OptionValue] = [:],
    sounds: [String: SoundAsset] = [:], rules: Set<Rule> = Set(Rule.allCases)
  ) -> [Problem] {
    let declared = unit.spec.mistakes
    guard declared.isEmpty else { return declared.map { Problem(rule: .declaration, message: $0) } }
    return UnitConformance(.own(unit), options: options, sounds: sounds).problems(rules)
  }

  /// - Parameter type: a unit with a sound declaration.
  package init(
    _ type: UnitType, options: [String: OptionValue] = [:], sounds: [String: SoundAsset] = [:]
  ) {
    self.type = type
    self.options = options
    self.sounds = sounds
  }

  /// - Parameter widths: the numbers of channels wherever the declaration leaves a choice.
  package func problems(_ rules: Set<Rule>, widths: [Int] = [1, 2, 6]) -> [Problem] {
    var found: [Problem] = []
    var refusals: [Problem] = []
    let connecting = type.spec.inputs.contains(where: \.isOptional) ? [false, true] : [false]
    let scenarios = widths.flatMap { channels in
      connecting.map {
        Scenario(
          type, channels: channels, connectsOptional: $0, options: options, sounds: sounds)
      }
    }
    for scenario in scenarios {
      do {
        for rule in Rule.allCases where rules.contains(rule) {
          found += try scenario.problems(rule).map {
            Problem(rule: rule, message: "\(scenario): \($0)")
          }
        }
      } catch {
        refusals.append(Problem(rule: .rendering, message: "\(scenario): \(error)"))
      }
    }
    // A unit may refuse a width; it must take one.
    return refusals.count == scenarios.count ? refusals : found
  }
}

extension Scenario {
  /// What breaks a rule in this setting.
  fileprivate func problems(_ rule: UnitConformance.Rule) throws -> [String] {
    switch rule {
    case .declaration: return []
    case .rendering: return try renderingProblems()
    case .sameBits: return try [false, true].flatMap { try splitProblems(moves: $0) }
    case .finite: return try rangeProblems()
    case .recovery: return try [Float.nan, .infinity, -.infinity, 3e38].flatMap(recoveryProblems)
    case .silence: return try silenceProblems()
    case .reset: return try resetProblems()
    case .allocation: return try allocationProblems()
    }
  }

  private func bits(_ channels: [[Float]]) -> [[UInt32]] { channels.map { $0.map(\.bitPattern) } }

  private func renderingProblems() throws -> [String] {
    let output = try renderer().render(noise(400))
    return output.allSatisfy { $0.count == 400 && $0.allSatisfy(\.isFinite) }
      ? [] : ["the output of noise is not finite"]
  }

  private func splitProblems(moves: Bool) throws -> [String] {
    let input = noise(1100)
    func render(_ blocks: [Int], inPlace: Bool = false) throws -> [[UInt32]] {
      let renderer = try renderer(motions: moves ? everythingMoving : [:], startFrame: -37)
      return bits(renderer.render(input, blocks: blocks, inPlace: inPlace))
    }
    let reference = try render([1024])
    let how = moves ? "with moving parameters" : "with constant parameters"
    var found: [String] = []
    for block in [1, 7, 64, 256] where try render([block]) != reference {
      found.append("blocks of \(block) frames give other bits than blocks of 1024, \(how)")
    }
    var random = SeededRandom(1)
    let blocks = (0..<200).map { _ in Int.random(in: 1...150, using: &random) }
    if try render(blocks) != reference {
      found.append("blocks of changing lengths give other bits than blocks of 1024, \(how)")
    }
    if type.spec.rendersInPlace, try render([64], inPlace: true) != reference {
      found.append("the output in the memory of the input has other bits, \(how)")
    }
    return found
  }

  private func rangeProblems() throws -> [String] {
    let input = noise(400)
    var found: [String] = []
    for slot in type.spec.parameterSlots(items: items) {
      for value in [slot.spec.range.lowerBound, slot.spec.range.upperBound] {
        let output = try renderer(parameters: [slot.path: value]).render(input)
        if !output.allSatisfy({ $0.allSatisfy(\.isFinite) }) {
          found.append("the output is not finite with '\(slot.path)' at \(value)")
        }
      }
    }
    return found
  }

  private func recoveryProblems(_ bad: Float) throws -> [String] {
    guard inputCount > 0 else { return [] }
    let renderer = try renderer()
    var input = noise(1500 + renderer.instance.latency)
    for channel in input.indices { input[channel][200] = bad }
    // A look-ahead outputs the sample later; a unit without memory outputs it once.
    // A unit may hold the sample for as long as its tail says.
    var from = 201 + renderer.instance.latency
    if case .frames(let tail) = renderer.instance.tail { from += min(tail, 1000) }
    let output = renderer.render(input, blocks: [64])
    return output.allSatisfy { $0[from...].allSatisfy(\.isFinite) }
      ? [] : ["the output does not become finite again after a sample of \(bad)"]
  }

  private func silenceProblems() throws -> [String] {
    if isModulator || inputCount == 0 { return [] }
    let output = try renderer(parameters: withoutNoise).render(
      (0..<max(inputCount, 1)).map { _ in [Float](repeating: 0, count: 600) })
    let peak = output.joined().map(abs).max() ?? 0
    return peak < 3e-5 ? [] : ["silence becomes a signal with a peak of \(peak)"]
  }

  private func resetProblems() throws -> [String] {
    let input = noise(700)
    let renderer = try renderer(motions: everythingMoving)
    let first = bits(renderer.render(input))
    _ = renderer.render(input)
    renderer.reset()
    return bits(renderer.render(input)) == first
      ? [] : ["after a reset it renders other bits than when it was new"]
  }

  private func allocationProblems() throws -> [String] {
    guard fx_counts_allocations() else { return [] }
    let renderer = try renderer(motions: everythingMoving)
    var count = 0
    _ = renderer.render(
      noise(1100), blocks: [64],
      through: { render in
        fx_begin_counting_allocations()
        render()
        count += Int(fx_end_counting_allocations())
      })
    return count == 0 ? [] : ["it allocates or frees memory \(count) times in 18 blocks"]
  }
}
