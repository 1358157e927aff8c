import FxAudio
@testable import FxChain

/// The Swift names of units, options and words of a chain.
enum SwiftNames {
  /// Names that Foundation has too, and abbreviations.
  private static let types = [
    "expression": "ExpressionUnit", "lfo": "LFO", "url": "URL", "dcBlock": "DCBlock",
    "type": "Kind", "lfe": "LFE",
  ]

  /// Words that begin with a digit.
  private static let words = [
    "2x": "twofold", "4x": "fourfold", "8x": "eightfold", "33": "rpm33", "45": "rpm45",
    "78": "rpm78", "1x10": "one10", "1x12": "one12", "2x12": "two12", "4x12": "four12",
  ]

  private static let keywords: Set<String> = [
    "default", "switch", "in", "repeat", "case", "for", "if", "else", "is", "as", "where", "init",
  ]

  /// `highPass` is `HighPass`.
  static func type(_ name: String) -> String {
    types[name] ?? name.prefix(1).uppercased() + name.dropFirst()
  }

  /// `large hall` is `largeHall`.
  static func word(_ word: String) -> String {
    if let name = words[word] { return name }
    let parts = word.split { !$0.isLetter && !$0.isNumber }
    let name = parts.enumerated().map { index, part in
      index == 0 ? part.prefix(1).lowercased() + part.dropFirst() : type(String(part))
    }.joined()
    return keywords.contains(name) ? "`\(name)`" : name
  }

  /// A key as a parameter of a function.
  static func argument(_ key: String) -> String { keywords.contains(key) ? "`\(key)`" : key }

  static func quantity(_ measure: Measure) -> String {
    switch measure {
    case .none: "Double"
    case .decibels, .loudnessUnits: "Level"
    case .lufs: "LoudnessLevel"
    case .hertz: "Frequency"
    case .seconds: "Time"
    case .ratio, .gain: "Ratio"
    case .semitones: "Semitones"
    case .octaves: "Octaves"
    case .beats: "Beats"
    case .frames: "Frames"
    case .degrees: "Degrees"
    case .bpm: "Tempo"
    }
  }

  static func quantity(_ parameter: ParameterSpec) -> String {
    if parameter.isToggle { return "Bool" }
    return parameter.isInteger && parameter.measure == .none ? "Int" : quantity(parameter.measure)
  }

  static func quantity(_ option: OptionSpec) -> String {
    switch option.kind {
    case .choice:
      option.key == "layout" || option.summary.hasPrefix("The layout of")
        ? "LayoutName" : type(option.key)
    case .number(let measure, _): quantity(measure)
    case .integer: "Int"
    case .numbers: "[Int]"
    case .flag: "Bool"
    case .text, .sound, .formula, .equalizerFile, .neuralModel, .channels: "String"
    case .texts: "[String: String]"
    }
  }

  static func quantity(_ key: KeySpec) -> String {
    switch (key.key, key.shape) {
    case ("loop", _): "Repetition"
    case ("fadeIn", _), ("fadeOut", _), ("crossfade", _): "Fade"
    case ("until", _): "RegionEnd"
    case (_, .quantity(let measure, _)): quantity(measure)
    case (_, .boolean), (_, .on): "Bool"
    case (_, .integer): "Int"
    case (_, .list(.integer)): "[Int]"
    default: "String"
    }
  }
}
