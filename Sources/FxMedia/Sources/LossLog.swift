import FxAudio

/// The losses of a damaged input, as warnings with time and length.
struct LossLog {
  enum Loss: Equatable {
    /// Bytes that were skipped, frames that are missing from the sound (estimated), and frames that
    /// were replaced with silence.
    case damage(byteCount: Int, missing: Int, silenced: Int)
    /// The input ends within a frame or page, of which this many bytes exist; 0 between two.
    case cutShort(Int)
    /// The input ends early; its header declares this many frames.
    case missingEnd(Int)
    /// Something is missing; its length is unknown.
    case hole
    /// Bytes after the end.
    case trailing(Int)
  }

  private struct Entry {
    var loss: Loss
    /// The byte offset in the input.
    let place: Int
    /// The frame in the sound.
    let frame: Int
  }

  /// True if the missing end was reported already.
  var isEndKnown = false
  private let sampleRate: Double
  private let startSeconds: Double
  private var entries: [Entry] = []
  /// The places that were reported. After a seek back the same damage may appear again.
  private var seen: Set<Int> = []
  private static let shownCount = 20

  init(sampleRate: Double, startSeconds: Double = 0) {
    self.sampleRate = sampleRate
    self.startSeconds = startSeconds
  }

  /// The total of missing frames.
  private(set) var missingCount = 0

  /// - Parameters:
  ///   - place: the byte offset where the damage begins.
  ///   - frame: the next frame of the sound.
  mutating func add(_ loss: Loss, at place: Int, frame: Int) {
    guard seen.insert(loss.isDamage ? place : ~place).inserted else { return }
    guard case .damage(let bytes, let missing, let silenced) = loss else {
      if !isEndKnown { entries.append(Entry(loss: loss, place: place, frame: frame)) }
      return
    }
    missingCount += missing
    // Damage close together is merged into one loss.
    if let last = entries.indices.last, entries[last].place < place,
      case .damage(let otherBytes, let otherMissing, let otherSilenced) = entries[last].loss,
      frame <= entries[last].frame + otherSilenced + Int(sampleRate / 20)
    {
      entries[last].loss = .damage(
        byteCount: bytes + otherBytes, missing: missing + otherMissing,
        silenced: silenced + otherSilenced)
      return
    }
    entries.append(Entry(loss: loss, place: place, frame: frame))
  }

  var warnings: [String] {
    var texts = entries.prefix(LossLog.shownCount).map(text)
    let rest = entries.dropFirst(LossLog.shownCount)
    guard !rest.isEmpty else { return texts }
    let length = rest.reduce(0) { $0 + $1.loss.frameCount }
    texts.append(
      "damaged at \(rest.count) more \(rest.count == 1 ? "place" : "places"): "
        + "about \(seconds(length)) missing or silenced")
    return texts
  }

  /// The warning about a header that declares too little.
  static func goesOn(behind frameCount: Int, _ rate: Double) -> String {
    "the sound goes on behind the \(clockSeconds(frameCount, rate)) that the header says"
  }

  private func text(_ entry: Entry) -> String {
    let time = clockSeconds(entry.frame + Int(startSeconds * sampleRate), sampleRate)
    switch entry.loss {
    case .damage(let byteCount, let missing, let silenced):
      var parts: [String] = []
      if byteCount > 0 { parts.append("\(count(byteCount)) skipped") }
      if missing > 0 || silenced == 0 { parts.append("about \(seconds(missing)) missing") }
      if silenced > 0 { parts.append("\(seconds(silenced)) silenced") }
      return "damaged at \(time): \(parts.joined(separator: ", "))"
    case .cutShort(let byteCount):
      return byteCount > 0
        ? "truncated at \(time): the last frame or page is not whole, \(count(byteCount)) skipped"
        : "truncated at \(time): the end is missing"
    case .missingEnd(let frameCount):
      return "truncated at \(time): the sound should last \(seconds(frameCount))"
    case .hole:
      return "damaged at \(time): pages are missing up to the end"
    case .trailing(let byteCount):
      return "damaged at \(time): \(count(byteCount)) behind the last frame skipped"
    }
  }

  private func count(_ bytes: Int) -> String { "\(bytes) \(bytes == 1 ? "byte" : "bytes")" }

  private func seconds(_ frameCount: Int) -> String { clockSeconds(frameCount, sampleRate) }
}

extension LossLog.Loss {
  fileprivate var isDamage: Bool { if case .damage = self { true } else { false } }

  fileprivate var frameCount: Int {
    switch self {
    case .damage(_, let missing, let silenced): missing + silenced
    case .missingEnd, .cutShort, .hole, .trailing: 0
    }
  }
}
