import FxAudio

/// How long the nodes of a program sound on, with the parameter values of that time.
///
/// On the thread that sets parameters; it reads nothing that the render thread writes.
struct ProgramTails {
  private struct Moving {
    let unit: UnitConfiguration
    let traits: @Sendable ([Double]) -> UnitTraits
    /// Seconds that a parameter may lag behind its automation.
    let lag: Double
    /// The last point of any automation.
    let lastSeconds: Double
    /// The last values that the node's parameters were set to, apart from automation.
    var values: [Double]
    /// True when an automated parameter was also set to a value.
    var isOverridden = false

    /// The unit's traits with given values; the tail is the longest that control signals can cause.
    func traits(_ values: [Double], depths: [Double]) -> UnitTraits {
      var found = traits(values)
      let whole = values + depths.dropFirst(values.count)
      for end in unit.modulatedEnds(of: whole) {
        let other = traits(end)
        found.tail = found.tail.longer(other.tail)
        found.recall = max(found.recall, other.recall)
      }
      return found
    }
  }

  /// With the current values; exact for nodes without automated parameters.
  private var resting: [Tail]
  /// By node.
  private var units: [Int: Moving] = [:]
  private let graph: ResolvedGraph
  private let sampleRate: Double
  /// Counts the changes that may have changed a tail.
  private(set) var revision = 0
  /// True when automation, a control signal or a request may change the tail.
  var mayChange: Bool { !units.isEmpty }

  init(_ graph: ResolvedGraph, _ instances: [UnitInstance?], sampleRate: Double) {
    self.graph = graph
    self.sampleRate = sampleRate
    resting = instances.map { $0?.tail ?? .none }
    for (node, instance) in instances.enumerated() {
      guard let traits = instance?.moving,
        case .unit(let unit) = graph.graph.nodes[node].content,
        resting[node] != .none || !unit.modulations.isEmpty
      else { continue }
      let lines = unit.unitAutomation
      units[node] = Moving(
        unit: unit, traits: traits,
        lag: lines.map { unit.parameters[$0.slot].spec.smoothingSeconds }.max() ?? 0,
        lastSeconds: lines.compactMap(\.points.last?.seconds).max() ?? 0, values: unit.values)
      if !unit.modulations.isEmpty, let moving = units[node] {
        resting[node] = moving.traits(unit.unitValues, depths: unit.values).tail
      }
    }
  }

  /// Records a parameter's new value, in the chain's unit of measure.
  mutating func set(node: Int, slot: Int, to value: Double) {
    guard var unit = units[node], unit.values.indices.contains(slot) else { return }
    unit.values[slot] = value
    unit.isOverridden = unit.isOverridden || unit.unit.automation.contains { $0.slot == slot }
    units[node] = unit
    let own = Array(unit.values.prefix(unit.unit.slots.ofUnit.count))
    resting[node] = unit.traits(own, depths: unit.values).tail
    revision += 1
  }

  /// By node: how long it sounds on when its input ends at an absolute frame.
  func tails(from frame: Int) -> [Tail] {
    var tails = resting
    for (node, unit) in units where unit.lastSeconds > 0 || unit.isOverridden {
      tails[node] = tail(of: unit, from: Double(frame) / sampleRate)
    }
    return tails
  }

  /// The tail of the whole graph; open-ended where it is not known.
  func tail(from frame: Int) -> GraphTail {
    (try? graph.tail(of: tails(from: frame))) ?? GraphTail(isOpenEnded: true)
  }

  /// Follows the automation in steps from the end of the input; each step uses up a share of the
  /// sound. Where the tail grows while the unit can still recall its input, the share is full
  /// again.
  private func tail(of moving: Moving, from start: Double) -> Tail {
    let step = 0.05
    var elapsed = 0.0
    var end = 0.0
    var left = 1.0
    var before = 0.0
    while true {
      let traits = traits(of: moving, at: start + elapsed)
      guard case .frames(let frames) = traits.tail else { return .unknown }
      let length = Double(frames) / sampleRate
      let recall = Double(traits.recall) / sampleRate
      if elapsed > 0, length > before, elapsed < recall { left = 1 }
      before = length
      let isLast = start + elapsed >= moving.lastSeconds + moving.lag
      if left > 0 {
        end = elapsed + left * length
        left -= length > 0 ? step / length : 1
        if isLast { break }
      } else if isLast || elapsed >= recall {
        break
      }
      elapsed += step
    }
    return .frames(Int((end * sampleRate).rounded(.up)))
  }

  /// The longest tail of the values that a parameter may have during a change.
  private func traits(of moving: Moving, at seconds: Double) -> UnitTraits {
    func traits(_ values: [Double]) -> UnitTraits {
      moving.traits(Array(values.prefix(moving.unit.slots.ofUnit.count)), depths: moving.values)
    }
    var found = traits(moving.unit.unitValues(at: seconds, from: moving.values))
    let others = [
      moving.lag > 0
        ? moving.unit.unitValues(at: seconds - moving.lag, from: moving.values) : nil,
      moving.isOverridden ? moving.values : nil,
    ]
    for values in others.compactMap({ $0 }) {
      found.tail = found.tail.longer(traits(values).tail)
    }
    return found
  }
}

extension ParameterSpec {
  /// Seconds that a change takes.
  fileprivate var smoothingSeconds: Double {
    switch smoothing {
    case .none: 0
    case .ramp(let seconds), .glide(let seconds): seconds
    }
  }
}
