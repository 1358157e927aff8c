import FxNodes

/// One effect of a command line, with its outcome.
struct Effect {
  /// The effect as it is written.
  let source: SourceValue
  let options: EffectOptions
  let importing: Importing

  func refuse(_ reason: String) { source.turn(.notPossible(reason)) }

  var isRefused: Bool {
    if case .notPossible? = source.outcome { true } else { false }
  }

  func approximate(_ text: String) { source.turn(.approximated(text)) }

  /// Adds nodes for all channels, if fxrun takes them.
  ///
  /// - Parameter program: the program, for the comments.
  func append(_ nodes: [Node], of program: String, to path: inout SignalPath) {
    guard !nodes.isEmpty, isComplete() else { return source.settle() }
    for node in nodes {
      if let mistake = importing.mistake(of: node, channels: path.width) {
        return refuse(mistake)
      }
    }
    let comment = "\(program): \(source.path)"
    for node in nodes { path.append(node.comment(comment)) }
    source.settle()
  }

  /// Adds a delay in seconds for each channel, if fxrun takes them.
  func append(times: [Double?], of program: String, to path: inout SignalPath) {
    guard times.count <= path.width, times.allSatisfy({ $0 != nil }) else {
      return refuse("it needs a time for each of \(path.width) channels")
    }
    guard isComplete() else { return }
    for (channel, time) in times.enumerated() {
      guard let time, time > 0 else { continue }
      let node = Align(id: importing.id("delay"), time: .seconds(rounded(time)))
      if let mistake = importing.mistake(of: node, channels: 1) { return refuse(mistake) }
      path.append(node.comment("\(program): \(source.path)"), on: [channel])
    }
  }

  /// False for an effect with an option that is no number; notes options that nobody has read.
  func isComplete() -> Bool {
    if let mistake = options.mistake {
      refuse(mistake)
      return false
    }
    let unread = options.unread.map { "'\($0)'" }.joined(separator: ", ")
    guard !unread.isEmpty else { return true }
    let known = source.outcome?.text.map { "\($0); " } ?? ""
    approximate("\(known)without \(unread)")
    return true
  }

  /// A level of a factor, with the polarity of its sign.
  func gain(_ factor: Double) -> Node {
    let id = importing.id("gain")
    guard factor != 0 else { return Gain(id: id, gain: .silence).node }
    return Gain(
      id: id, gain: .decibels(rounded(decibels(abs(factor)))), invert: factor < 0 ? true : nil
    ).node
  }

  /// A signal and one echo of it, each at its factor.
  func echo(direct: Double, factor: Double, time: Double, _ name: String) -> [Node] {
    let sum = direct + factor
    guard direct >= 0, factor >= 0, sum > 0 else {
      refuse("a negative level of an echo")
      return []
    }
    let delay = Delay(
      id: importing.id(name), time: .seconds(rounded(time)), feedback: 0, highCut: 20000,
      lowCut: 10, wet: .percent(rounded(factor / sum * 100)))
    return sum == 1 ? [delay.node] : [delay.node, gain(sum)]
  }
}
