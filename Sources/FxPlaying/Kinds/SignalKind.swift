import FxAudio
import FxEngine
import FxMedia
import FxUnits

extension SourceKind {
  /// A test signal: the same bits on every machine and at every block size.
  static let signal = SourceKind(
    EndpointSpec(
      "signal",
      "A test signal, the same to the bit on every machine; `sine` is `tone`.",
      .choice(TestSignal.Kind.allCases.map(\.rawValue) + ["sine"]),
      options: [
        OptionSpec(
          "duration", "How long it lasts; default: without an end, a `sweep` 10 s.",
          .number(.seconds, 0.001...86400), default: nil),
        OptionSpec(
          "level",
          "Of its peaks. The RMS of `noise` is 4.8 dB lower. That of pink, brown, blue and violet noise is "
            + "12 dB lower; their few peaks above the level are clipped. Default -12 dB.",
          .number(.decibels, -200...24), default: .number(-12)),
        OptionSpec(
          "frequency", "Of `tone` and `bursts`; default 1 kHz.", .number(.hertz, 0.001...384_000),
          default: .number(1000)),
        OptionSpec(
          "from", "Where a `sweep` begins; default 20 Hz.", .number(.hertz, 0.001...384_000),
          default: .number(20)),
        OptionSpec(
          "to", "Where a `sweep` ends; default 20 kHz.", .number(.hertz, 0.001...384_000),
          default: .number(20000)),
        OptionSpec(
          "start", "Where the `impulse` is; default 0.", .number(.seconds, 0...86400),
          default: .number(0)),
        OptionSpec(
          "seed", "Of noises and of `programme`; default 1.",
          .integer(0...9_007_199_254_740_991), default: .number(1)),
        OptionSpec(
          "channels", "How many; default 2.", .integer(EndpointSpec.channelCounts),
          default: .number(2)),
        EndpointSpec.layout,
      ], channels: "`channels`, 2 by default", abilities: [.seek, .loop, .knownLength],
      conflict: EndpointSpec.layoutConflict,
      mistake: { TestSignal($0).mistake(sampleRate: $1) }),
    .generated
  ) { endpoint, _ throws(Failure) in
    let signal = TestSignal(endpoint)
    let duration = endpoint.options.number("duration") ?? (signal.kind == .sweep ? 10 : nil)
    let channels = endpoint.channels ?? 2
    return .generator(
      SourceGenerator(channelCount: channels, duration: duration) { conversion throws(Failure) in
        SignalSource(
          signal, sampleRate: conversion.rate, channels: channels,
          frameCount: duration.map { max(Int(($0 * conversion.rate).rounded()), 1) })
      })
  }
}

extension TestSignal {
  /// A signal as a chain describes it.
  fileprivate init(_ endpoint: SourceEndpoint) {
    self.init(Kind(rawValue: endpoint.target) ?? .tone)
    let options = endpoint.options
    level = options.number("level") ?? level
    frequency = options.number("frequency") ?? frequency
    from = options.number("from") ?? from
    to = options.number("to") ?? to
    start = options.number("start") ?? start
    seed = options.integer("seed").map { UInt64($0) } ?? seed
  }
}
