import FxKit

/// A fast path for `run` with the most common arguments.
///
/// The argument parser needs 4 ms for the options of `RunCommand`, a third of a short render.
/// Arguments that are unknown here, and wrong ones, are left to `RunCommand`.
struct PlainRun {
  private(set) var chain = ""
  private(set) var input: String?
  private(set) var outputFiles: [String] = []
  private(set) var define: [String] = []
  private(set) var set: [String] = []
  private(set) var bits: String?
  private(set) var json = false
  private(set) var quiet = false

  init?(_ arguments: [String]) {
    var files: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "-o", "--define", "--set", "--bits":
        guard let value = rest.popFirst(), !Self.isOption(value) else { return nil }
        take(value, of: argument)
      case "-q", "--quiet": quiet = true
      case "--json": json = true
      default:
        guard !Self.isOption(argument) else { return nil }
        files.append(argument)
      }
    }
    guard (1...2).contains(files.count) else { return nil }
    chain = files[0]
    input = files.dropFirst().first
  }

  private mutating func take(_ value: String, of option: String) {
    switch option {
    case "--define": define.append(value)
    case "--set": set.append(value)
    case "--bits": bits = value
    default: outputFiles.append(value)
    }
  }

  private static func isOption(_ argument: String) -> Bool {
    argument.hasPrefix("-") && argument != "-"
  }

  func run() throws {
    let wordStream = ChainRun.wordStream(besides: outputFiles)
    try ChainRun.report(asJSON: json, to: wordStream) { () throws(ChainFailure) in
      var run = ChainRun(try loadedChain(), try request(), to: wordStream)
      run.asJSON = json
      run.isQuiet = quiet
      return run
    }
  }

  private func loadedChain() throws(ChainFailure) -> Chain {
    try ChainArguments.load(chain, variables: Pair.dictionary(define, option: "--define"))
  }

  func request() throws(ChainFailure) -> RenderRequest {
    var request = RenderRequest()
    request.inputs["main"] = input
    request.outputs["main"] = outputFiles.first
    request.copies = Array(outputFiles.dropFirst())
    request.settings = try SettingArguments.settings(set)
    if let bits { try EncodingArguments.apply(bits: bits, to: &request) }
    return request
  }
}
