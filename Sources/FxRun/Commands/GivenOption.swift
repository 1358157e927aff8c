import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// An option of a render request as an argument: its declaration and the given text.
struct GivenOption {
  let option: RequestOption
  let text: String
}

extension Option {
  /// An option that `RequestOption` declares.
  init(of key: String, completion: CompletionKind? = nil) where Value == GivenOption? {
    let option = RequestOption[key]
    self.init(
      name: .customLong(option.name), parsing: .unconditional, help: option.help,
      completion: completion ?? option.completion
    ) { GivenOption(option: option, text: $0) }
  }
}

extension Flag where Value == Bool {
  /// A flag that `RequestOption` declares.
  init(of key: String) {
    let option = RequestOption[key]
    self.init(wrappedValue: false, name: .customLong(option.name), help: option.help)
  }
}

extension RequestOption {
  fileprivate var help: ArgumentHelp {
    ArgumentHelp("\(sentence)", valueName: valueName)
  }

  fileprivate var completion: CompletionKind {
    choices.isEmpty ? .default : .list(choices)
  }
}

extension [GivenOption?] {
  /// The values by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    var values: [String: OptionValue] = [:]
    for case let given? in self { values.merge(try given.option.read(given.text)) { $1 } }
    return values
  }
}

extension RenderRequest {
  /// Sets the given options, and refuses options that exclude each other.
  mutating func set(checking given: [String: OptionValue]) throws(ChainFailure) {
    try EditingArguments.check(given, hasInput: inputs["main"] != nil)
    if let conflict = RenderRequest.conflict(given) {
      throw .usage(RequestOption.spelled(conflict.message))
    }
    set(given)
  }
}

extension ChainFailure {
  static func usage(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: .usage, message)
  }
}
