import CALSA
import Glibc
import Synchronization

/// The sound devices of this machine: those in ALSA's configuration, and those of every card.
package enum DeviceCatalog {
  /// Every device that can play or record, `default` first. Each is opened briefly; a device that
  /// does not answer takes two seconds.
  package static func devices() -> [DeviceDescription] {
    quietly {
      var devices: [DeviceDescription] = []
      for entry in entries() {
        var ends: [DeviceDirection: DeviceEnd] = [:]
        for direction in entry.directions {
          if let end = DeviceProbe.examine(entry.name, direction) { ends[direction] = end }
        }
        guard !ends.isEmpty else { continue }
        devices.append(DeviceDescription(name: entry.name, title: entry.title, ends: ends))
      }
      return devices
    }
  }

  /// The names and titles of the devices that may play or record. None is opened.
  package static func names(_ direction: DeviceDirection) -> [(name: String, title: String)] {
    quietly {
      entries().filter { $0.directions.contains(direction) }.map { ($0.name, $0.title) }
    }
  }

  /// True when the kernel knows a sound card.
  package static var hasCard: Bool {
    var card: Int32 = -1
    return snd_card_next(&card) == 0 && card >= 0
  }

  private struct Entry {
    let name: String
    var title: String
    var directions: [DeviceDirection]
  }

  private static func entries() -> [Entry] {
    var entries: [Entry] = []
    var known: Set<String> = []
    func add(_ entry: Entry) {
      // Skips the device that discards its input.
      if entry.name != "null", known.insert(entry.name).inserted { entries.append(entry) }
    }
    add(Entry(name: "default", title: "", directions: DeviceDirection.allCases))
    let hinted = hinted()
    if let title = hinted.first(where: { $0.name == "default" })?.title {
      entries[0].title = title
    }
    for entry in ofCards() { add(entry) }
    for entry in defined() {
      // With the title of its hint, if it has one.
      add(hinted.first { $0.name == entry.name } ?? entry)
    }
    for entry in hinted { add(entry) }
    return entries
  }

  /// The devices that alsa-lib lists itself.
  private static func hinted() -> [Entry] {
    var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
    defer { snd_device_name_free_hint(hints) }
    var entries: [Entry] = []
    var index = 0
    while let hint = hints[index] {
      index += 1
      guard let name = text(hint, "NAME") else { continue }
      let title = text(hint, "DESC").map { $0.split(separator: "\n").joined(separator: ", ") }
      let directions: [DeviceDirection] =
        switch text(hint, "IOID") {
        case "Output": [.playback]
        case "Input": [.capture]
        default: DeviceDirection.allCases
        }
      entries.append(Entry(name: name, title: title ?? "", directions: directions))
    }
    return entries
  }

  private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
    guard let text = snd_device_name_get_hint(hint, key) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  /// The `hw` and `plughw` names of every card's devices.
  private static func ofCards() -> [Entry] {
    var entries: [Entry] = []
    var card: Int32 = -1
    while snd_card_next(&card) == 0, card >= 0 {
      var control: OpaquePointer?
      guard snd_ctl_open(&control, "hw:\(card)", Int32(SND_CTL_NONBLOCK)) == 0, let control else {
        continue
      }
      defer { snd_ctl_close(control) }
      var device: Int32 = -1
      while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
        entries += self.entries(control, card, device)
      }
    }
    return entries
  }

  private static func entries(_ control: OpaquePointer, _ card: Int32, _ device: Int32) -> [Entry] {
    var cardInfo: OpaquePointer?
    var info: OpaquePointer?
    guard snd_ctl_card_info_malloc(&cardInfo) == 0, let cardInfo else { return [] }
    defer { snd_ctl_card_info_free(cardInfo) }
    guard snd_pcm_info_malloc(&info) == 0, let info else { return [] }
    defer { snd_pcm_info_free(info) }
    guard snd_ctl_card_info(control, cardInfo) == 0 else { return [] }
    var directions: [DeviceDirection] = []
    var title = ""
    for direction in DeviceDirection.allCases {
      snd_pcm_info_set_device(info, UInt32(device))
      snd_pcm_info_set_subdevice(info, 0)
      snd_pcm_info_set_stream(info, direction.stream)
      guard snd_ctl_pcm_info(control, info) == 0 else { continue }
      directions.append(direction)
      title = snd_pcm_info_get_name(info).map { String(cString: $0) } ?? ""
    }
    let cardName = snd_ctl_card_info_get_name(cardInfo).map { String(cString: $0) } ?? ""
    let cardID =
      snd_ctl_card_info_get_id(cardInfo).map { String(cString: $0) } ?? String(card)
    let name = "CARD=\(cardID),DEV=\(device)"
    let words = [cardName, title].filter { !$0.isEmpty }.joined(separator: ", ")
    return [
      Entry(name: "hw:\(name)", title: "\(words), as it is", directions: directions),
      Entry(
        name: "plughw:\(name)", title: "\(words), converted as needed", directions: directions),
    ]
  }

  /// Devices without arguments that the user's own configuration defines and alsa-lib does not
  /// list.
  private static func defined() -> [Entry] {
    var configuration: OpaquePointer?
    guard snd_config_update_ref(&configuration) >= 0, let top = configuration else { return [] }
    defer { snd_config_unref(top) }
    var devices: OpaquePointer?
    guard snd_config_search(top, "pcm", &devices) == 0, let devices else { return [] }
    var entries: [Entry] = []
    var iterator = snd_config_iterator_first(devices)
    let end = snd_config_iterator_end(devices)
    while iterator != end {
      defer { iterator = snd_config_iterator_next(iterator) }
      guard let node = snd_config_iterator_entry(iterator),
        snd_config_get_type(node) == SND_CONFIG_TYPE_COMPOUND, has(node, "type"),
        !has(node, "@args")
      else { continue }
      var id: UnsafePointer<CChar>?
      guard snd_config_get_id(node, &id) == 0, let id else { continue }
      entries.append(
        Entry(name: String(cString: id), title: "", directions: DeviceDirection.allCases))
    }
    return entries
  }

  private static func has(_ node: OpaquePointer, _ key: String) -> Bool {
    var found: OpaquePointer?
    return snd_config_search(node, key, &found) == 0
  }

  private static let quiet = Mutex(())

  /// Runs something while standard error is discarded, for the prints of alsa-lib's plugins. One
  /// caller at a time: a second one would save the discarded descriptor as the original.
  static func quietly<Result>(_ body: () -> Result) -> Result {
    quiet.withLock { _ in
      let kept = fcntl(2, F_DUPFD_CLOEXEC, 3)
      let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
      if kept >= 0, nowhere >= 0 { dup2(nowhere, 2) }
      defer {
        if kept >= 0 {
          dup2(kept, 2)
          close(kept)
        }
        if nowhere >= 0 { close(nowhere) }
      }
      return body()
    }
  }
}
