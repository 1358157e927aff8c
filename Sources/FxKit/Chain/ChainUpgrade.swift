import FxAudio
package import FxChain

/// A chain of version 1 rewritten for version 2: order, spacing and comments stay, and every time that was a
/// fraction of a beat is written as the note, or the number of beats, that lasts as long.
package struct ChainUpgrade: Sendable {
  /// One value that was rewritten.
  package struct Change: Sendable, Equatable {
    /// Where it stood in the old text.
    package let place: Place
    package let old: String
    package let new: String
    /// True in the chain's own `variables`, which a caller may replace.
    package let isVariable: Bool
  }

  package let bytes: [UInt8]
  package let changes: [Change]

  /// nil for a chain that has the newest version, or is none.
  ///
  /// - Throws: `ChainFailure` of kind `chain` for a chain with mistakes.
  package init?(_ chain: Chain) throws(ChainFailure) {
    var found = Diagnostics()
    let source = SourceText(path: chain.path, bytes: chain.bytes)
    guard let document = JSONDocument.read(source, into: &found) else { return nil }
    let root = document.root
    let before = try chain.planned().built
    let version = root.members.first { $0.key.string == "version" }?.value
    guard let version, before.version < ChainFormat.version else { return nil }
    let beats = BeatFractions(chain, before)
    var changes: [Change] = []
    for fraction in root.fractions where try beats.holds(fraction.value) {
      let old = fraction.value.string ?? ""
      // The chain that reads it may be of another version.
      let new =
        fraction.isOfIncludedChain
        ? Quantity.beats(ofFraction: old)
        : Quantity.note(ofFraction: old, beatUnit: before.beatUnit)
      guard let new else { continue }
      changes.append(
        Change(
          place: fraction.value.place, old: old, new: new, isVariable: fraction.isOfVariables))
    }
    self.changes = changes
    let edits = changes.map { ($0.place.range, "\"\($0.new)\"") } + [(version.extent, "2")]
    bytes = source.replacing(edits)
    let after = try chain.replacing(bytes).planned().built
    guard after.rendersAs(before) else {
      throw ChainFailure(
        .chain, code: .notUpgraded,
        "\(chain.path) cannot be rewritten for version 2 with the same sound",
        path: chain.path,
        hints: ["write its times in beats, such as \"0.5 beats\", which both versions read alike"])
    }
  }
}

/// Finds out which texts of a chain are read as fractions of a beat.
private struct BeatFractions {
  private let chain: Chain
  private let built: BuiltChain

  init(_ chain: Chain, _ built: BuiltChain) {
    self.chain = chain
    self.built = built
  }

  /// True if the text is read as a time: as many beats in its place change nothing, and something that is no
  /// value is a mistake there.
  func holds(_ value: JSONValue) throws(ChainFailure) -> Bool {
    guard let text = value.string, let beats = Quantity.beats(ofFraction: text) else {
      return false
    }
    guard let same = with(beats, for: value), same.rendersAs(built) else { return false }
    return with("1 furlong", for: value) == nil
  }

  private func with(_ text: String, for value: JSONValue) -> BuiltChain? {
    let bytes = value.place.source.replacing([(value.extent, "\"\(text)\"")])
    return try? chain.replacing(bytes).planned().built
  }
}

extension BuiltChain {
  /// True if both render the same and take the same controls.
  fileprivate func rendersAs(_ other: BuiltChain) -> Bool {
    graph == other.graph && tail == other.tail && exposed == other.exposed && scenes == other.scenes
      && startScene == other.startScene && controls == other.controls
  }

  /// The note that is a beat, as the denominator of the metre; nil if it changes.
  fileprivate var beatUnit: Int? { tempoMap.map(\.beatUnit) ?? 4 }
}

extension JSONValue {
  /// A text such as `1/8`.
  fileprivate struct Fraction {
    let value: JSONValue
    /// In the variables that a node gives the chain that it includes.
    let isOfIncludedChain: Bool
    /// In the variables of the chain itself.
    let isOfVariables: Bool
  }

  /// The fractions among its values, in the order of the text.
  fileprivate var fractions: [Fraction] {
    var found: [Fraction] = []
    func search(
      _ value: JSONValue, isIncluded: Bool = false, isVariable: Bool = false, isRoot: Bool = false
    ) {
      switch value.kind {
      case .string:
        guard let text = value.string, Quantity.beats(ofFraction: text) != nil else { return }
        found.append(
          Fraction(value: value, isOfIncludedChain: isIncluded, isOfVariables: isVariable))
      case .array:
        for element in value.elements {
          search(element, isIncluded: isIncluded, isVariable: isVariable)
        }
      case .object:
        let isUse = value.members.contains { $0.key.string == "use" }
        for (key, member) in value.members {
          let names = key.string == "variables"
          search(
            member, isIncluded: isIncluded || isUse && names,
            isVariable: isVariable || isRoot && names)
        }
      case .number, .true, .false, .null: break
      }
    }
    search(self, isRoot: true)
    return found
  }
}
