package import FxAudio

/// The fields in the name of a part.
package enum PartField: String, Sendable, Equatable, CaseIterable {
  /// Its number, counted from 1, with at least three digits.
  case n
  /// The title of its chapter, or its number if it has no title.
  case title
  /// The name of the main input without its extension.
  case name
}

/// Gives each part of a sound a different name.
package struct PartNames {
  package let template: NameTemplate<PartField>
  private let input: String
  private var used: Set<String> = []

  /// - Parameters:
  ///   - text: the template. Without a number or title field, the number is added before the
  ///     extension.
  ///   - input: the main input; nil if there is none.
  package init(_ text: String, input: String?) throws(Failure) {
    let template = try NameTemplate<PartField>(text)
    if template.contains(.n) || template.contains(.title) {
      self.template = template
    } else {
      let name = PartialName(text)
      self.template = try NameTemplate("\(name.stem)-{n}\(name.end)")
    }
    self.input = input.map { PartialName.split(PartialName($0).stem).name } ?? "sound"
  }

  package mutating func name(_ number: Int, title: String?) -> String {
    let digits = String(number)
    let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
    let title = title.map(Self.fileName).flatMap { $0.isEmpty ? nil : $0 } ?? padded
    let name = template.filled { field in
      switch field {
      case .n: padded
      case .title: title
      case .name: input
      }
    }
    guard used.insert(name).inserted else {
      let parts = PartialName(name)
      let other = "\(parts.stem)-\(padded)\(parts.end)"
      used.insert(other)
      return other
    }
    return name
  }

  /// True if a part may have this name.
  package func matches(_ name: String) -> Bool {
    let (beginning, end) = (PartialName.split(template.beginning).name, template.end)
    return name.utf8.count >= beginning.utf8.count + end.utf8.count && name.hasPrefix(beginning)
      && name.hasSuffix(end)
  }

  /// The folder of all parts, with its slash; nil if it contains a field.
  package var folder: String? {
    let folder = PartialName.split(template.beginning).folder
    return template.end.contains("/")
      || template.parts.dropFirst().contains {
        if case .text(let text) = $0 { text.contains("/") } else { false }
      }
      ? nil : folder
  }

  /// A title as a file name: without slashes, not hidden and not too long.
  private static func fileName(_ title: String) -> String {
    var name = String(
      title.map { character in
        character == "/" || character.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
          ? "_" : character
      })
    name = String(name.drop { $0 == "." || $0 == " " })
    while name.utf8.count > 120 { name.removeLast() }
    while name.hasSuffix(" ") { name.removeLast() }
    return name
  }
}
