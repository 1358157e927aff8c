import FxNodes

extension EcasoundOperator {
  /// A matrix: for each output, the inputs and their factors.
  private func matrix(_ outputs: [[(channel: Int, factor: Double)]]) -> [Step] {
    guard outputs.count <= 32 else { return refuse("fxrun's matrix has 32 outputs at most") }
    let routes = outputs.enumerated().flatMap { target, parts in
      parts.compactMap { part -> Matrix.Route? in
        guard part.factor != 0, part.channel < width else { return nil }
        let level = rounded(decibels(abs(part.factor)))
        return Matrix.Route(
          from: part.channel + 1, to: target + 1, gain: level == 0 ? nil : .decibels(level),
          invert: part.factor < 0 ? true : nil)
      }
    }
    return [
      Step(node: Matrix(id: id, channels: outputs.count, routes: routes).node, width: outputs.count)
    ]
  }

  /// The channels as they are, in a signal with more of them if need be.
  private func kept(_ width: Int) -> [[(channel: Int, factor: Double)]] {
    (0..<max(width, self.width)).map { [($0, 1)] }
  }

  // MARK: Levels

  /// `-ea:percent` and `-eaw:percent,clipped`, which only warns of clipping.
  func amplify() -> [Step] {
    if name == "eaw" { effect.options.ignore("1") }
    return all(effect.gain(number(0) / 100))
  }

  /// `-eadb:dB,channel`, with channel 0 for all.
  func level() -> [Step] {
    guard let channel = integer(1) else { return refuse("there is no such channel") }
    guard channel > 0 else { return all(Gain(id: id, gain: .decibels(number(0)))) }
    return one(channel - 1, factor(decibels: number(0)))
  }

  /// `-eac:percent,channel`.
  func channelLevel() -> [Step] {
    guard let channel = integer(1) else { return refuse("there is no such channel") }
    guard channel > 0 else {
      return nothing("it names no channel, and ecasound changes none")
    }
    return one(channel - 1, number(0) / 100)
  }

  func mute() -> [Step] {
    guard let channel = channel(0) else { return refuse("channels count from 1") }
    return one(channel, 0)
  }

  private func one(_ channel: Int, _ factor: Double) -> [Step] {
    guard channel < 32 else { return refuse("fxrun's matrix has 32 outputs at most") }
    var outputs = kept(channel + 1)
    outputs[channel] = [(channel, factor)]
    return matrix(outputs)
  }

  /// `-epp:right`: the farther channel is turned down.
  func pan() -> [Step] {
    let right = number(0)
    var outputs = kept(2)
    outputs[0] = [(0, right > 50 ? (100 - right) / 50 : 1)]
    outputs[1] = [(1, right < 50 ? right / 50 : 1)]
    return matrix(outputs)
  }

  // MARK: Routes

  /// `-chcopy:from,to` and `-chmove:from,to`.
  func copy() -> [Step] {
    guard let from = channel(0), let to = channel(1) else { return refuse("channels count from 1") }
    var outputs = kept(max(from, to) + 1)
    outputs[to] = [(from, 1)]
    if name == "chmove", from != to { outputs[from] = [] }
    return matrix(outputs)
  }

  /// `-chmix:to`: the mean of all channels, with the one that it makes.
  func mean() -> [Step] {
    guard let to = channel(0) else { return refuse("channels count from 1") }
    var outputs = kept(to + 1)
    outputs[to] = (0..<width).map { ($0, 1 / Double(outputs.count)) }
    return matrix(outputs)
  }

  /// `-chorder:2,1`: the source of each channel; 0 is silence, and ends the signal where nothing follows.
  func order() -> [Step] {
    effect.options.ignoreAll()
    var sources: [Int] = []
    for index in 0..<count {
      guard let source = integer(index) else { return refuse("there is no such channel") }
      sources.append(source)
    }
    while let last = sources.last, last <= 0 { sources.removeLast() }
    guard !sources.isEmpty else { return all(Gain(id: id, gain: .silence)) }
    return matrix(sources.map { $0 > 0 ? [($0 - 1, 1)] : [] })
  }

  /// `-etf:ms`: the mean of both sides on the left, and later on the right.
  func fakeStereo() -> [Step] {
    guard let delay = delayFrames(number(0)) else { return refuse("a delay is 0 ms or more") }
    var outputs = kept(2)
    outputs[0] = [(0, 0.5), (1, 0.5)]
    outputs[1] = outputs[0]
    let mix = matrix(outputs)
    guard !effect.isRefused else { return [] }
    let align = Align(id: id, frames: delay)
    return mix + [Step(node: align.node, channels: [1], width: outputs.count)]
  }

  /// Four channels of the two sides, of which the last two become echoes; and the way back.
  ///
  /// - Parameters:
  ///   - dry: the factor of the signal itself.
  ///   - feeds: for the echoes of each side, the factors of left and right.
  ///   - echoes: the coefficients of the echoes of each side.
  func sides(dry: Double, feeds: [[Double]], echoes: [[Double]]) -> [Step] {
    let wide = max(width, 2)
    guard wide <= 30 else { return refuse("fxrun's matrix has 32 outputs at most") }
    let fed = feeds.map { [($0[0] == 0 ? nil : (0, $0[0])), ($0[1] == 0 ? nil : (1, $0[1]))] }
    let split = matrix(kept(2) + fed.map { $0.compactMap { $0 } })
    var steps = split
    for (side, coefficients) in echoes.enumerated() {
      guard let node = convolver("\(name)-\(side + 1)", coefficients) else { return [] }
      steps.append(Step(node: node, channels: [wide + side], width: wide + 2))
    }
    let routes = (0..<wide).flatMap { channel -> [Matrix.Route] in
      guard channel < 2 else { return [Matrix.Route(from: channel + 1, to: channel + 1)] }
      let level = rounded(decibels(abs(dry)))
      let itself = Matrix.Route(
        from: channel + 1, to: channel + 1, gain: level == 0 ? nil : .decibels(level),
        invert: dry < 0 ? true : nil)
      return (dry == 0 ? [] : [itself]) + [Matrix.Route(from: wide + channel + 1, to: channel + 1)]
    }
    let join = Matrix(id: id, channels: wide, routes: routes)
    return steps + [Step(node: join.node, width: wide)]
  }
}
