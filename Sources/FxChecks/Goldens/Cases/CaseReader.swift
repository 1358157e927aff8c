import FxChain
import FxKit
import FxUnits

/// Reads the cases of a case file and reports every mistake of its text in one pass.
struct CaseReader: ObjectReader {
  var diagnostics = Diagnostics()
  private let path: String

  /// Reads the text of a case file. Cases with mistakes are left out.
  static func read(bytes: [UInt8], path: String) -> (cases: [TestCase], diagnostics: Diagnostics) {
    var reader = CaseReader(path: path)
    guard
      let json = JSONDocument.read(
        SourceText(path: path, bytes: bytes), into: &reader.diagnostics)
    else { return ([], reader.diagnostics) }
    let cases = reader.cases(json.root)
    return (cases, reader.diagnostics.sorted())
  }

  private init(path: String) { self.path = path }

  /// Case files have no variables.
  mutating func text(_ value: JSONValue?) -> String? { value?.string }

  /// A partial case: the file's own keys, overridden by those of the case.
  private struct Draft {
    var chain: String?
    var inputs: [String: TestCase.Input] = [:]
    /// The position of each key in the file.
    var places: [String: Place] = [:]
    var duration: Double?
    var sampleRate = 48000.0
    var channels = 2
    var blockSize: Int?
    var variables: [String: String] = [:]
    var settings: [RenderRequest.Setting] = []
    var scene: String?
    var expectation: TestCase.Expectation?
    var tolerance = Tolerance.exact
    var cost: TestCase.Cost?
  }

  private mutating func cases(_ root: JSONValue) -> [TestCase] {
    guard root.kind == .object else {
      report(.wrongType, "a case file is an object, not \(root.kindName)", root.place)
      return []
    }
    guard !isChain(root), isReadableVersion(root, CaseFormat.version, of: "case file"),
      let fields = fields(root, CaseFormat.file)
    else { return [] }
    _ = number(fields, "version", of: CaseFormat.file)
    var common = Draft()
    read(fields, into: &common)
    let isWhole = !diagnostics.hasErrors
    let name = CaseFile.name(of: path)
    guard key("cases", in: root) != nil else {
      var single = testCase(common, name: name, at: opening(root))
      single.text = root.place.source.bytes
      return isWhole && !diagnostics.hasErrors ? [single] : []
    }
    let list = fields["cases"]
    let members = list?.members ?? []
    if let value = list, members.isEmpty {
      report(
        .missingKey, "'cases' names no case", value.place,
        hints: ["leave it out where the file is one case"])
    }
    var cases: [TestCase] = []
    var names: Set<String> = []
    for (key, value) in members {
      guard let own = key.string else { continue }
      let before = diagnostics.errorCount
      if !Names.isID(own) { reportName(own, "a case", key.place) }
      var draft = common
      guard let fields = self.fields(value, CaseFormat.single) else { continue }
      read(fields, into: &draft)
      var testCase = testCase(draft, name: "\(name)/\(own)", at: key.place)
      if let list { testCase.text = Self.text(of: root, list, key, value) }
      // Duplicate keys have been reported already.
      if isWhole, diagnostics.errorCount == before, names.insert(own).inserted {
        cases.append(testCase)
      }
    }
    let goldens = Dictionary(grouping: cases, by: \.manifestPath)
    for index in cases.indices {
      cases[index].sharesGolden = (goldens[cases[index].manifestPath]?.count ?? 0) > 1
    }
    return cases
  }

  /// The text of a case file with one of its cases.
  private static func text(
    of root: JSONValue, _ cases: JSONValue, _ key: JSONValue, _ value: JSONValue
  ) -> [UInt8] {
    let bytes = root.place.source.bytes
    return Array(
      bytes[...cases.extent.lowerBound] + bytes[key.extent.lowerBound..<value.extent.upperBound]
        + bytes[(cases.extent.upperBound - 1)...])
  }

  /// True if the file is a chain: somebody passed it in place of its case file.
  private mutating func isChain(_ root: JSONValue) -> Bool {
    guard let key = key("nodes", in: root) ?? key("chain", in: root) else { return false }
    let isList = root.members.contains { $0.key.string == "chain" && $0.value.kind == .array }
    guard key.string == "nodes" || isList else { return false }
    report(
      .wrongType, "this is a chain, not a case file", key.place,
      hints: [
        "its cases stand beside it in \(CaseFile.name(of: path))\(CaseFile.ending): "
          + "{ \"version\": 1 } is enough"
      ])
    return true
  }

  // MARK: Keys

  private mutating func read(_ fields: Fields, into draft: inout Draft) {
    let spec = CaseFormat.single
    if let value = fields["chain"], let file = file(value, "chain") { draft.chain = file }
    if let rate = number(fields, "sampleRate", of: spec) { draft.sampleRate = rate }
    draft.duration = number(fields, "duration", of: spec) ?? draft.duration
    draft.channels = integer(fields, "channels", of: spec) ?? draft.channels
    draft.blockSize = integer(fields, "blockSize", of: spec) ?? draft.blockSize
    draft.scene = text(fields["scene"]) ?? draft.scene
    readInputs(fields, into: &draft)
    for (name, value) in values(fields["define"]) { draft.variables[name] = value }
    for (name, value) in values(fields["set"]) {
      if let index = draft.settings.firstIndex(where: { $0.parameter == name }) {
        draft.settings[index].value = value
      } else {
        draft.settings.append(RenderRequest.Setting(name, value))
      }
    }
    if let value = fields["expect"], let expectation = expectation(value) {
      draft.expectation = expectation
    }
    if let value = fields["tolerance"], let tolerance = tolerance(value) {
      draft.tolerance = tolerance
    }
    if let tolerance = number(fields, "cost", of: spec) {
      draft.cost = TestCase.Cost(tolerance: tolerance)
    }
  }

  private mutating func readInputs(_ fields: Fields, into draft: inout Draft) {
    let named = fields["inputs"]?.members ?? []
    if let value = fields["input"], let input = input(value, "input") {
      take(input, as: "main", at: value, into: &draft)
    }
    for (key, value) in named {
      guard let name = key.string else { continue }
      if !Names.isID(name) { reportName(name, "an input", key.place) }
      if name == "main", fields["input"] != nil {
        report(
          .conflictingKeys, "'input' and 'inputs' both say what goes into 'main'", key.place)
      } else if let input = input(value, name) {
        take(input, as: name, at: value, into: &draft)
      }
    }
  }

  private func take(
    _ input: TestCase.Input, as name: String, at value: JSONValue, into draft: inout Draft
  ) {
    draft.inputs[name] = input
    draft.places[name] = value.place
  }

  /// Builds the case from a complete draft.
  private mutating func testCase(_ draft: Draft, name: String, at place: Place) -> TestCase {
    let own = ChainFile.path(CaseFile.name(of: path) + ".json", relativeTo: path)
    if draft.chain == nil, !path.hasSuffix(CaseFile.ending) {
      report(
        .missingKey, "a case file that is not called NAME\(CaseFile.ending) needs the key 'chain'",
        place)
    }
    let golden = name.split(separator: "/").joined(separator: "-")
    let folder = ChainFile.path("golden", relativeTo: path)
    var testCase = TestCase(
      name: name, file: path, chain: draft.chain ?? own,
      expectation: draft.expectation ?? .sound("\(folder)/\(golden).wav"))
    testCase.variables = draft.variables
    testCase.settings = draft.settings
    testCase.scene = draft.scene
    testCase.inputs = draft.inputs
    testCase.sampleRate = draft.sampleRate
    testCase.channels = draft.channels
    testCase.blockSize = draft.blockSize
    testCase.tolerance = draft.tolerance
    testCase.cost = draft.cost
    let isMade = draft.inputs.values.allSatisfy { if case .signal = $0 { true } else { false } }
    testCase.duration = draft.duration ?? (isMade ? 2 : nil)
    for (name, input) in draft.inputs.sorted(by: { $0.key < $1.key }) {
      check(input, of: draft, at: draft.places[name] ?? place)
    }
    return testCase
  }

  /// Checks that depend on more than the input itself.
  private mutating func check(_ input: TestCase.Input, of draft: Draft, at place: Place) {
    switch input {
    case .signal(let signal):
      guard let highest = signal.highestFrequency, highest > draft.sampleRate / 2 else { return }
      report(
        .outOfRange,
        "the signal goes up to \(shortNumber(highest)) Hz, above half the sample rate of "
          + "\(shortNumber(draft.sampleRate)) Hz", place,
        hints: ["give a lower '\(signal.kind == .sweep ? "to" : "frequency")'"])
    case .file(let path):
      guard path.lowercased().hasSuffix(".mp3"), draft.tolerance.isExact else { return }
      report(
        .inexactInput,
        "MP3 decoders differ from processor to processor in the last bits, and the case is exact",
        place, hints: ["a WAV or FLAC file is the same everywhere; or give a 'tolerance'"])
    }
  }
}
