import FxAudio

/// The memory behind a node's `ModulationBank`, allocated and freed on the control thread.
final class ModulationMemory {
  let bank: ModulationBank
  private let targets: UnsafeMutablePointer<ModulationBank.Target>
  private let terms: UnsafeMutablePointer<ModulationTerm>
  private let choices: UnsafeMutablePointer<Float>

  /// nil for a node that no control signal moves. `inputCount` counts its channels; those of its
  /// control signals come last.
  init?(_ unit: UnitConfiguration, inputCount: Int) {
    let modulations = unit.modulations
    guard !modulations.isEmpty else { return nil }
    let firstChannel = inputCount - modulations.count
    var found: [ModulationBank.Target] = []
    var ordered: [ModulationTerm] = []
    var values: [Float] = []
    let slots = Set(modulations.map(\.slot)).sorted()
    let exclusive = slots.map { unit.parameters[$0].spec.exclusiveChoices }
    choices = .allocate(capacity: max(exclusive.joined().count, 1))
    for (slot, allowed) in zip(slots, exclusive) {
      let spec = unit.parameters[slot].spec
      let first = ordered.count
      for (index, modulation) in modulations.enumerated() where modulation.slot == slot {
        ordered.append(ModulationTerm(modulation, channel: firstChannel + index))
      }
      found.append(
        ModulationBank.Target(
          slot: slot, firstTerm: first, termCount: ordered.count - first,
          low: spec.delivered(spec.range.lowerBound), high: spec.delivered(spec.range.upperBound),
          isWhole: spec.isInteger || spec.isToggle && spec.smoothing == .none,
          choices: UnsafePointer(choices + values.count), choiceCount: allowed.count))
      values += allowed
    }
    for (index, value) in values.enumerated() { (choices + index).initialize(to: value) }
    targets = .allocate(capacity: found.count)
    for (index, target) in found.enumerated() { (targets + index).initialize(to: target) }
    terms = .allocate(capacity: ordered.count)
    for (index, term) in ordered.enumerated() { (terms + index).initialize(to: term) }
    let counts = UnsafeMutablePointer<ModulationBank.Count>.allocate(capacity: found.count)
    counts.initialize(repeating: ModulationBank.Count(), count: found.count)
    let signals = UnsafeMutablePointer<ParameterSignal>.allocate(capacity: unit.parameters.count)
    signals.initialize(repeating: ParameterSignal(constant: 0), count: unit.parameters.count)
    bank = ModulationBank(
      targets: UnsafePointer(targets), targetCount: found.count, terms: UnsafePointer(terms),
      counts: counts, signals: signals)
  }

  deinit {
    bank.signals.deallocate()
    bank.counts.deallocate()
    terms.deallocate()
    targets.deallocate()
    choices.deallocate()
  }
}

extension ParameterSpec {
  /// The values of a parameter that allows only its choices, as delivered; empty for any other.
  fileprivate var exclusiveChoices: [Float] {
    choicesAreExclusive ? choices.map { delivered($0.value) } : []
  }
}
