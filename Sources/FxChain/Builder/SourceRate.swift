package import FxAudio
import FxEngine

/// How a source ends, as far as known before it is read.
package enum SourceEnding: Sendable, Hashable {
  /// Its end is known.
  case finite
  /// It ends when its writer closes it.
  case stream
  /// It never ends: a sound device, a signal without a duration.
  case endless
  /// Nothing was opened: a check accepts any input.
  case assumed
}

/// The known facts of a source when the graph is built.
package struct SourceFacts: Sendable, Hashable {
  package var format: StreamFormat
  package var ending: SourceEnding
  /// Errors in the regions that it plays.
  package var mistakes: [RegionMistake]

  package init(
    _ format: StreamFormat, _ ending: SourceEnding, mistakes: [RegionMistake] = []
  ) {
    self.format = format
    self.ending = ending
    self.mistakes = mistakes
  }
}

/// The sample rate that a chain's sources require, independent of their order in the file.
///
/// A bound main input comes first, then the highest rate of sources that end, then the highest of
/// the others.
struct SourceRate {
  struct Source {
    let draft: Int
    let endpoint: SourceEndpoint
    let ending: SourceEnding
    let sampleRate: Double
  }

  private(set) var sources: [Source] = []

  mutating func add(_ source: Source) { sources.append(source) }

  private var main: Source? {
    sources.first { $0.endpoint == .input("main") && $0.ending != .endless }
  }

  private func highest(of ending: SourceEnding) -> Double? {
    sources.filter { $0.ending == ending && $0.isRead }.map(\.sampleRate).max()
  }

  /// True if the rate is that of a main input that was not opened.
  var isAssumed: Bool { main?.ending == .assumed }

  /// The rate for a chain without its own; nil without sources.
  var sampleRate: Double? {
    main?.sampleRate
      ?? highest(of: .finite) ?? highest(of: .assumed) ?? highest(of: .stream)
      ?? sources.map(\.sampleRate).max()
  }

  /// The rates of the files and pipes, lowest first.
  var rates: [Double] { Set(sources.filter(\.isKnown).map(\.sampleRate)).sorted() }

  /// The first source in the file whose rate differs from the chain's.
  func first(otherThan rate: Double) -> Source? {
    sources.first { $0.isKnown && $0.sampleRate != rate }
  }

  /// Why the chain runs at a rate that it does not name.
  func reason(_ rate: Double) -> String {
    if let main, main.sampleRate == rate { return "the rate of the main input" }
    return rates.last == rate ? "the highest of them" : "the rate of the sound device"
  }
}

extension NodeBuilder {
  /// The place of a region of the node's source.
  fileprivate func regionPlace(_ region: Int, _ key: String?) -> Place {
    guard case .source(let source)? = document?.kind, source.regionPlaces.indices.contains(region)
    else { return place }
    return source.regionPlaces[region].place(key)
  }
}

extension SourceRate.Source {
  /// False for a signal that is generated at any rate.
  var isRead: Bool { endpoint.nature != .generated }
  var isKnown: Bool { isRead && (ending == .finite || ending == .stream) }
}

extension GraphBuilder {
  /// Reads the sample rate and the widths of sources, which values may depend on.
  func readSources() {
    var rate = SourceRate()
    var formats: [Int: StreamFormat] = [:]
    for (index, draft) in drafts.enumerated() {
      guard case .source(let endpoint) = draft.content else { continue }
      if let facts = environment.sourceFacts(endpoint), facts.format.channelCount > 0,
        facts.format.sampleRate > 0
      {
        rate.add(
          SourceRate.Source(
            draft: index, endpoint: endpoint, ending: facts.ending,
            sampleRate: facts.format.sampleRate))
        formats[index] = facts.format
      }
      draft.outputs = [output(of: endpoint, formats[index])]
      reportLayout(draft, endpoint, environment.sourceFacts(endpoint))
    }
    context.sampleRate =
      environment.sampleRate ?? document.settings.sampleRate ?? rate.sampleRate
    let ranges = context.sampleRate ?? environment.fallbackSampleRate
    units.adopt(sampleRate: ranges)
    context.tempo = document.settings.tempo?.initialTempo
    context.tempoMap = document.settings.tempo
    reportMixedRates(rate)
    reportMistakes(ranges)
  }

  /// The output bus of a source.
  private func output(of endpoint: SourceEndpoint, _ format: StreamFormat?) -> OutputBusSpec {
    let width = max(
      1, endpoint.channels ?? format?.channelCount ?? document.settings.channels ?? 2)
    let own = format.flatMap { $0.channelCount == width ? $0.layout : nil }
    return OutputBusSpec(
      "out", width: .exactly(width),
      layout: .exactly(endpoint.layout(of: width) ?? own ?? .usual(width)))
  }

  /// Reports a layout for a different number of channels.
  private func reportLayout(
    _ draft: NodeBuilder, _ endpoint: SourceEndpoint, _ facts: SourceFacts?
  ) {
    guard let facts, facts.ending == .finite || facts.ending == .stream,
      endpoint.nature != .generated,
      let layout = endpoint.layout(of: facts.format.channelCount),
      layout.channelCount != facts.format.channelCount
    else { return }
    let count = facts.format.channelCount
    report(
      .width,
      "'\(draft.id)': the layout \(layout) has \(layout.channelCount) channels, and the source has "
        + "\(count)", draft.place,
      hints: ["leave 'layout' out, or name one of \(count) channels"])
  }

  /// Reports errors of sources at the chain's rate, and regions that cannot be played.
  private func reportMistakes(_ sampleRate: Double) {
    for draft in drafts {
      guard case .source(let endpoint) = draft.content else { continue }
      for mistake in environment.sourceFacts(endpoint)?.mistakes ?? [] {
        report(
          .invalidRegion, mistake.message, draft.regionPlace(mistake.region, mistake.key),
          hints: mistake.hint.map { [$0] } ?? [])
      }
      guard
        let kind = environment.endpoints.sources.first(where: { $0.spec.key == endpoint.kind }),
        let mistake = kind.spec.mistake(endpoint, sampleRate)
      else { continue }
      report(.outOfRange, "'\(draft.id)': \(mistake)", draft.place)
    }
  }

  private func reportMixedRates(_ rate: SourceRate) {
    let rates = rate.rates
    let isChosen = environment.sampleRate ?? document.settings.sampleRate != nil
    guard rates.count > 1, isChosen || !rate.isAssumed, let own = context.sampleRate,
      let other = rate.first(otherThan: own)
    else { return }
    let shown = rates.prefix(8).map { shortNumber($0) }
    let listed =
      rates.count > shown.count
      ? shown.joined(separator: ", ") + " and other"
      : shown.dropLast().joined(separator: ", ") + " and \(shown.last ?? "")"
    var hints: [String] = []
    if document.settings.sampleRate != own {
      hints = ["it is \(rate.reason(own)); \"sampleRate\" chooses another"]
    }
    report(
      .mixedRates, "sources have \(listed) Hz; the chain runs at \(shortNumber(own)) Hz",
      drafts[other.draft].place, hints: hints)
  }
}
