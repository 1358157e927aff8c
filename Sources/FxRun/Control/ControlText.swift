import FxAudio
import FxChain
import FxKit

/// Formats answers as words.
enum ControlText {
  /// One member of an answer; empty if it is missing.
  static func word(_ key: String, of answer: JSONValue) -> String {
    ControlRequest.Members(answer)[key].map(word) ?? ""
  }

  /// The value of a parameter; gains in decibels.
  static func value(_ answer: JSONValue) -> String {
    if ControlRequest.Members(answer)["unit"] != nil { return reading(answer) }
    let decibels = word("decibels", of: answer)
    return decibels.isEmpty ? word("value", of: answer) : "\(decibels) dB"
  }

  /// `440.1 Hz`; one number for each channel, `-inf dB` for silence.
  private static func reading(_ answer: JSONValue) -> String {
    let members = ControlRequest.Members(answer)
    let unit = members["unit"].map(word) ?? ""
    guard let value = members["value"] else { return "" }
    let values = value.kindName == "a list" ? value.elements : [value]
    let nothing = unit == "dB" ? "-inf" : "-"
    return values.map { $0.number.map(shortNumber) ?? nothing }.joined(separator: ", ")
      + (unit.isEmpty ? "" : " \(unit)")
  }

  /// The members of an object, one per line.
  static func table(_ key: String, of answer: JSONValue) -> String {
    let object = ControlRequest.Members(answer)[key]
    return (object?.members ?? []).compactMap { key, value -> String? in
      let text =
        value.kindName == "a list"
        ? value.elements.map(word).joined(separator: ", ") : word(value)
      return text.isEmpty ? nil : "\((key.string ?? "").padded(to: 14)) \(text)"
    }.joined(separator: "\n")
  }

  /// Parameters with their values and ranges.
  static func parameters(_ answer: JSONValue) -> String {
    let parameters = ControlRequest.Members(answer)["parameters"]?.elements ?? []
    var rows = parameters.map { parameter -> (String, String, String) in
      let members = ControlRequest.Members(parameter)
      func word(_ key: String) -> String { members[key].map(Self.word) ?? "" }
      let isGain = word("unit") == "gain"
      let unit =
        word("unit").isEmpty || word("unit") == "ratio" ? "" : isGain ? " dB" : " \(word("unit"))"
      func number(_ key: String) -> String {
        guard isGain, let gain = members[key]?.number else { return word(key) }
        return shortNumber((Math.decibels(amplitude: gain) * 100).rounded() / 100)
      }
      let choices = (members["choices"]?.elements ?? []).map {
        ControlRequest.Members($0)["label"].map(Self.word) ?? ""
      }
      let range =
        switch word("kind") {
        case "toggle": "true or false"
        case "choice": choices.joined(separator: ", ")
        default: "\(number("minimum"))…\(number("maximum"))\(unit)"
        }
      return (word("name"), "\(number("value"))\(unit)", range)
    }
    let readings = ControlRequest.Members(answer)["readings"]?.elements ?? []
    let read = readings.map { reading -> (String, String, String) in
      let members = ControlRequest.Members(reading)
      let summary = members["summary"].map(word) ?? ""
      return (members["name"].map(word) ?? "", Self.reading(reading), "(reading) \(summary)")
    }
    rows += read
    let width = rows.map(\.0.count).max() ?? 0
    let values = rows.map(\.1.count).max() ?? 0
    return rows.map { row in
      "\(row.0.padded(to: width))  \(row.1.padded(to: values, left: true))  \(row.2)"
    }.joined(separator: "\n")
  }

  private static func word(_ value: JSONValue) -> String {
    if let number = value.number { return shortNumber(number) }
    return ForeignText.visible(value.string ?? value.spelling)
  }
}
