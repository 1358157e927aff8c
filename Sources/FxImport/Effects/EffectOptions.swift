/// The options of an effect, by name or by place from 0.
///
/// It knows which of them nobody has read, and which are no numbers: an effect with such an option does something else
/// than the nodes that were made of it.
final class EffectOptions {
  private let values: [String: String]
  private var read: Set<String> = []
  private var wrong: Set<String> = []

  init(_ values: [String: String]) { self.values = values }

  subscript(_ key: String) -> String? {
    read.insert(key)
    return values[key]
  }

  /// A number; nil where there is none. A text that is no number makes the effect impossible.
  func number(_ key: String, _ convert: (String) -> Double?) -> Double? {
    guard let text = self[key] else { return nil }
    guard let number = convert(text), number.isFinite else {
      wrong.insert(key)
      return nil
    }
    return number
  }

  /// Takes options as read that do not change the sound, or that the nodes have all of.
  func ignore(_ keys: String...) { read.formUnion(keys) }

  func ignoreAll() { read.formUnion(values.keys) }

  /// The reason why the effect is not possible.
  var mistake: String? {
    wrong.sorted().first.map { "'\(values[$0] ?? "")' is no number that fxrun reads" }
  }

  /// The options that nobody has read, as they are written.
  var unread: [String] {
    values.keys.filter { !read.contains($0) }.sorted().map { key in
      Int(key) == nil ? "\(key)=\(values[key] ?? "")" : values[key] ?? ""
    }
  }
}
