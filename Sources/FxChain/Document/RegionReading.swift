import FxAudio
import FxEngine

/// The places of a region of a schedule in the chain file.
struct RegionPlaces: Sendable, Equatable {
  package var whole: Place
  /// The places of its keys' values.
  package var keys: [String: Place] = [:]

  /// The place of a key; that of the region if the key is absent.
  package func place(_ key: String?) -> Place { key.flatMap { keys[$0] } ?? whole }
}

/// Reads the regions of a player.
extension ChainReader {
  typealias ReadRegion = (region: PlayerRegion, places: RegionPlaces)

  /// The regions that are readable.
  mutating func regions(_ list: JSONValue) -> [ReadRegion] {
    let regions = list.elements.compactMap { region($0) }
    var ids: Set<String> = []
    for (region, places) in regions {
      guard let id = region.id, !ids.insert(id).inserted else { continue }
      report(.duplicateName, "two regions are called '\(id)'", places.place("id"))
    }
    for (region, places) in regions {
      for (key, id) in region.references where !ids.contains(id) {
        report(
          .unknownNode, "there is no region '\(id)'", places.place(key),
          hints: Suggestion.hint(for: id, in: ids.sorted()))
      }
    }
    return regions
  }

  /// The part of a file or an input to play, and how; nil if nothing is given.
  mutating func piece(of file: String, _ fields: Fields) -> ReadRegion? {
    guard ChainFormat.pieceKeys.contains(where: { fields[$0.key] != nil }) else { return nil }
    var region = PlayerRegion(file: file)
    readPiece(fields, into: &region)
    return (region, places(fields))
  }

  private func places(_ fields: Fields) -> RegionPlaces {
    var places = RegionPlaces(whole: opening(fields.object))
    for entry in fields.known { places.keys[entry.name] = entry.value.place }
    return places
  }

  private mutating func region(_ value: JSONValue) -> ReadRegion? {
    guard let fields = fields(value, ChainFormat.region), let fileValue = fields["file"],
      let file = filePath(fileValue)
    else { return nil }
    var region = PlayerRegion(file: file)
    if let id = text(fields["id"]) {
      if !Names.isID(id), let place = fields["id"]?.place { reportName(id, "a region", place) }
      region.id = id
    }
    readPiece(fields, into: &region)
    readAnchor(fields, into: &region)
    if let value = fields["until"] {
      if let name = text(value), Names.isID(name) {
        region.until = .end(name)
      } else {
        region.until = time(value, "until").map { .time($0) }
      }
    }
    readCrossfade(fields, into: &region)
    region.channels =
      fields["channels"]?.elements.compactMap { element in
        number(element, of: KeySpec("channels", .integer(ChainFormat.channelCounts), ""))
          .flatMap { Int(exactly: $0) }
      } ?? []
    return (region, places(fields))
  }

  /// The keys that a region shares with a file and an input.
  private mutating func readPiece(_ fields: Fields, into region: inout PlayerRegion) {
    if let value = fields["at"], let time = time(value, "at") { region.anchor = .time(time) }
    region.start = fields["start"].flatMap { time($0, "start") }
    region.duration = fields["duration"].flatMap { time($0, "duration") }
    if let value = fields["loop"] {
      if text(value)?.lowercased() == "forever" {
        region.playCount = nil
      } else {
        let key = KeySpec("loop", .integer(ChainFormat.playCounts), "")
        region.playCount = number(value, of: key).flatMap { Int(exactly: $0) } ?? 1
      }
    }
    region.gain = number(fields, "gain", of: ChainFormat.region) ?? 0
    region.fadeIn = fields["fadeIn"].flatMap { fade($0, "fadeIn", usual: .linear) }
    region.fadeOut = fields["fadeOut"].flatMap { fade($0, "fadeOut", usual: .linear) }
    region.isReversed = flag(fields, "reverse")?.value ?? false
    region.speed = number(fields, "speed", of: ChainFormat.region) ?? 1
    region.keepsPitch = flag(fields, "keepPitch")?.value ?? false
    if region.keepsPitch, !ChainFormat.stretches.contains(region.speed),
      let place = fields["speed"]?.place
    {
      report(.outOfRange, "with 'keepPitch' a speed is 0.25 to 4", place)
    }
  }

  private mutating func readAnchor(_ fields: Fields, into region: inout PlayerRegion) {
    let given = ["at", "after", "with"].filter { fields[$0] != nil }
    if given.count > 1, let place = fields[given[1]]?.place {
      report(
        .conflictingKeys,
        "a region begins in one place; '\(given[0])' and '\(given[1])' exclude each other", place)
    }
    if let id = text(fields["after"]) { region.anchor = .after(id) }
    if let id = text(fields["with"]) { region.anchor = .with(id) }
    guard let value = fields["offset"] else { return }
    region.offset = time(value, "offset")
    if fields["at"] != nil {
      report(
        .conflictingKeys, "'offset' counts from another region, and 'at' names a time", value.place)
    }
  }

  private mutating func readCrossfade(_ fields: Fields, into region: inout PlayerRegion) {
    guard let value = fields["crossfade"] else { return }
    region.crossfade = fade(value, "crossfade", usual: .equalPower)
    for (key, reason) in [
      ("at", "a crossfade joins a region to the one that it comes after"),
      ("with", "a crossfade joins a region to the one that it comes after"),
      ("offset", "a crossfade says how much earlier the region begins"),
      ("fadeIn", "a crossfade is the region's fade in"),
    ] where fields[key] != nil {
      report(.conflictingKeys, "'crossfade' excludes '\(key)': \(reason)", value.place)
    }
  }

  private mutating func fade(
    _ value: JSONValue, _ key: String, usual: FadeCurve
  ) -> PlayerRegion.Fade? {
    guard value.kind == .object else { return time(value, key).map { .init($0, usual) } }
    guard let fields = fields(value, ChainFormat.fade), let length = fields["time"] else {
      return nil
    }
    var curve = usual
    if let value = fields["curve"], let word = text(value) {
      let labels = FadeCurve.allCases.map(\.rawValue)
      if let known = labels.first(where: { $0.lowercased() == word.lowercased() }) {
        curve = FadeCurve(rawValue: known) ?? usual
      } else {
        report(
          .notAChoice, "'curve' cannot be \(ForeignText.shortened(value.spelling))", value.place,
          hints: Suggestion.hint(for: word, in: labels)
            + ["one of: \(labels.joined(separator: ", "))"])
      }
    }
    return time(length, "time").map { .init($0, curve) }
  }

  /// A time in seconds, frames or beats.
  private mutating func time(_ value: JSONValue, _ key: String) -> ScheduleTime? {
    let bound = 86400.0
    let range = key == "offset" ? -bound...bound : 0...bound
    if value.kind == .string, let quantity = raw(value)?.value.quantity,
      let time = ScheduleTime(quantity)
    {
      switch time {
      case .frames(let count) where key == "offset" || count >= 0: return time
      case .beats(let count) where count.isFinite && (key == "offset" || count >= 0),
        .wholeNotes(let count) where count.isFinite && (key == "offset" || count >= 0):
        return time
      default:
        report(.outOfRange, "'\(key)' \(value.spelling) is below zero", value.place)
        return nil
      }
    }
    return number(value, of: KeySpec(key, .quantity(.seconds, range), "")).map { .seconds($0) }
  }
}

extension ScheduleTime {
  /// Frames and beats, which need a sample rate or a tempo; nil for anything else.
  fileprivate init?(_ quantity: Quantity) {
    switch quantity {
    case .fractionOfBeat(let fraction): self = .beats(fraction)
    case .fraction(let part), .note(let part): self = .wholeNotes(part)
    case .plain(let number, let spelling):
      switch UnitOfMeasure.named(spelling)?.unit {
      case .frames:
        guard let count = Int(exactly: number), abs(count) < 1 << 50 else { return nil }
        self = .frames(count)
      case .beats: self = .beats(number)
      default: return nil
      }
    case .clock: return nil
    }
  }
}

extension PlayerRegion {
  /// The regions that it refers to, with the keys.
  fileprivate var references: [(key: String, id: String)] {
    var references: [(key: String, id: String)] = []
    switch anchor {
    case .after(let id): references.append(("after", id))
    case .with(let id): references.append(("with", id))
    case .previous, .time: break
    }
    if case .end(let id)? = until { references.append(("until", id)) }
    return references
  }
}
