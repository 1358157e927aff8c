import FxAudio
import FxChain
import FxKit

/// Reads a configuration of Equalizer APO, AutoEq, Room EQ Wizard or Peace.
///
/// Source: Equalizer APO's configuration reference, as docs/import/equalizer-apo.md names it; fxrun's equalizer reads the
/// same lines where a chain names such a file.
struct EqualizerAPOImport {
  private let importing: Importing
  private let file: EqualizerAPOFile
  private let channels: EqualizerAPOChannels
  private var path: SignalPath
  /// The names of the channels that `Copy` has made, after those of the device.
  private var virtual: [String] = []
  private(set) var graph = ChainGraph()

  /// The lines, with their outcomes.
  var lines: [SourceValue] { file.lines }

  init(_ text: String, _ importing: Importing) {
    self.importing = importing
    file = EqualizerAPOFile(text, importing)
    channels = EqualizerAPOChannels(Self.members(file.steps))
    path = SignalPath(width: channels.width)
    var rest = file.steps[...]
    while let step = rest.first {
      // Filters in a row become the bands of one node.
      let filters = rest.prefix { $0.filter != nil && $0.command.scope == step.command.scope }
      if filters.isEmpty {
        add(step)
        rest.removeFirst()
      } else {
        add(Array(filters))
        rest.removeFirst(filters.count)
      }
    }
    if !virtual.isEmpty { narrow() }
    graph = path.graph()
    // A chain whose nodes take all channels fits every sound.
    if file.steps.contains(where: { $0.command.scope.channels != .all || $0.isCopy }) {
      graph.channels = channels.width
    }
  }

  private static func members(_ steps: [EqualizerAPOFile.Step]) -> Set<ChannelSelection.Member> {
    var members: Set<ChannelSelection.Member> = []
    for step in steps {
      if case .some(let named) = step.command.scope.channels { members.formUnion(named) }
      if case .copy(let text) = step.command.action, let copy = EqualizerAPOCopy(text) {
        members.formUnion(copy.members)
      }
    }
    return members
  }

  // MARK: Nodes

  private func channels(of step: EqualizerAPOFile.Step) -> [Int] {
    guard case .some(let members) = step.command.scope.channels else {
      return Array(0..<path.width)
    }
    return members.compactMap(channels.index)
  }

  /// Adds a node for the channels of a line, if fxrun takes it.
  ///
  /// - Parameter inline: The node that does the same to these channels alone.
  private mutating func append(
    _ node: some ChainNode, for steps: [EqualizerAPOFile.Step],
    inline: (some ChainNode)? = Node?.none
  ) {
    guard let step = steps.first else { return }
    let channels = channels(of: step)
    if let mistake = importing.mistake(of: node, channels: channels.count) {
      for step in steps { step.source.turn(.notPossible(mistake)) }
      return
    }
    path.append(
      node.comment(Self.comment(steps)), on: channels,
      inline: inline.map { $0.node.comment(Self.comment(steps)) })
  }

  private static func comment(_ steps: [EqualizerAPOFile.Step]) -> String {
    let numbers = steps.map(\.source.line)
    let (first, last) = (numbers.min() ?? 0, numbers.max() ?? 0)
    return "Equalizer APO: line \(first)" + (first == last ? "" : " to \(last)")
  }

  private mutating func add(_ step: EqualizerAPOFile.Step) {
    switch step.command.action {
    case .preamp(let level):
      append(Gain(id: importing.id("preamp"), gain: .decibels(level)), for: [step])
    case .delay(let milliseconds):
      append(Align(id: importing.id("delay"), time: .milliseconds(milliseconds)), for: [step])
    case .delayFrames(let frames):
      step.source.turn(.translated("frames at \(Int(importing.sampleRate)) Hz"))
      append(
        Align(
          id: importing.id("delay"), time: .seconds(rounded(frames / importing.sampleRate))),
        for: [step])
    case .graphic(let points): add(points, step)
    case .coefficients(let b, let a): add(Coefficients(b: b, a: a), step)
    case .convolution(let name):
      let file = importing.file(name.replacing("\\", with: "/"))
      append(Convolver(id: importing.id("convolution"), impulse: file), for: [step])
    case .copy(let text): add(copy: text, step)
    case .other(let name): step.source.turn(.notPossible("fxrun has no '\(name)'"))
    case .filter, .include: break
    }
  }

  private mutating func add(_ filters: [EqualizerAPOFile.Step]) {
    var bands: [Equalizer.Band] = []
    var used: [EqualizerAPOFile.Step] = []
    for step in filters {
      guard let filter = step.filter else { continue }
      do throws(EqualizerRemark) {
        let band = try EqualizerText.Band(
          filter, sampleRate: importing.sampleRate, line: step.command.line)
        guard let kind = Equalizer.Band.Kind(rawValue: band.type) else { continue }
        bands.append(
          Equalizer.Band(
            type: kind, order: band.order == 1 ? 1 : nil,
            frequency: band.frequency.map { .hertz(rounded($0)) },
            gain: filter.kind.hasGain ? .decibels(band.gain) : nil, q: band.q.map(rounded)))
        used.append(step)
        if case .octaves? = filter.width {
          step.source.turn(.translated("the width at \(Int(importing.sampleRate)) Hz"))
        }
      } catch {
        step.source.turn(.notPossible(error.message))
      }
    }
    guard !bands.isEmpty else { return }
    let id = importing.id("equalizer")
    let numbers = numbers(of: filters[0])
    let own = bands.map { band in
      var band = band
      band.fields.set("channels", numbers)
      return band
    }
    append(Equalizer(id: id, bands: bands), for: used, inline: Equalizer(id: id, bands: own))
  }

  private mutating func add(_ points: [EqualizerCommand.Point], _ step: EqualizerAPOFile.Step) {
    guard !points.isEmpty else {
      return step.source.turn(.translated("left out: it has no points"))
    }
    // The lowest frequency of a curve is half a hertz.
    let curve = points.map { "\(max($0.frequency, 0.5)) \($0.level)" }.joined(separator: "; ")
    let id = importing.id("graphic")
    append(
      Equalizer(id: id, curve: curve, curveLength: .long), for: [step],
      inline: Equalizer(id: id, curve: "\(numbers(of: step)): \(curve)", curveLength: .long))
  }

  private mutating func add(_ coefficients: Coefficients, _ step: EqualizerAPOFile.Step) {
    guard coefficients.b.count <= 3 else {
      return step.source.turn(
        .notPossible("fxrun has sections of second order: write the filter as several of them"))
    }
    append(Biquad(id: importing.id("filter"), sections: [coefficients.section]), for: [step])
  }

  /// The channels of a line as a band of an equalizer has them.
  private func numbers(of step: EqualizerAPOFile.Step) -> String {
    channels(of: step).sorted().map { String($0 + 1) }.joined(separator: " ")
  }

  // MARK: Copy

  private mutating func add(copy text: String, _ step: EqualizerAPOFile.Step) {
    guard let copy = EqualizerAPOCopy(text) else {
      return step.source.turn(.notPossible("these are no assignments such as L=0.5*L+0.5*R"))
    }
    let named = copy.assignments.flatMap { $0.summands.compactMap(\.channel) }
    if let unknown = named.first(where: { index($0) == nil }) {
      return step.source.turn(.notPossible("no line before has made the channel '\(unknown)'"))
    }
    guard
      copy.assignments.allSatisfy({ $0.summands.allSatisfy { $0.channel != nil || $0.factor == 0 } }
      )
    else { return step.source.turn(.notPossible("fxrun has no unit that adds a constant")) }
    for assignment in copy.assignments where index(assignment.target) == nil {
      virtual.append(assignment.target.lowercased())
    }
    let width = channels.width + virtual.count
    guard width <= 32 else {
      return step.source.turn(.notPossible("fxrun's matrix has 32 channels"))
    }
    var routes = (0..<path.width).map { [Matrix.Route(from: $0 + 1, to: $0 + 1)] }
    routes += Array(repeating: [], count: width - path.width)
    for assignment in copy.assignments {
      guard let target = index(assignment.target) else { continue }
      routes[target] = assignment.summands.compactMap { summand in
        guard let channel = summand.channel, let source = index(channel), summand.factor != 0
        else { return nil }
        let level = rounded(decibels(abs(summand.factor)))
        return Matrix.Route(
          from: source + 1, to: target + 1, gain: level == 0 ? nil : .decibels(level),
          invert: summand.factor < 0 ? true : nil)
      }
    }
    let node = Matrix(id: importing.id("copy"), channels: width, routes: routes.flatMap { $0 })
    path.append(node.comment(Self.comment([step])), width: width)
  }

  private func index(_ name: String) -> Int? {
    if let member = EqualizerAPOCopy.member(name) { return channels.index(member) }
    return virtual.firstIndex(of: name.lowercased()).map { $0 + channels.width }
  }

  /// Leaves the channels that `Copy` has made.
  private mutating func narrow() {
    let routes = (1...channels.width).map { Matrix.Route(from: $0, to: $0) }
    path.append(
      Matrix(id: importing.id("device"), channels: channels.width, routes: routes),
      width: channels.width)
  }
}

extension EqualizerAPOFile.Step {
  var filter: EqualizerFilter? {
    if case .filter(let filter) = command.action { filter } else { nil }
  }

  var isCopy: Bool {
    if case .copy = command.action { true } else { false }
  }
}
