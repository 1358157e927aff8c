import CLilv
import CRealtime
import FxAudio
import Glibc

/// Writes the state of an instance into a folder that any LV2 host reads as a preset: a manifest,
/// the state, and copies of the required files.
///
/// The folder is made under a temporary name next to its final place and moved there when it is
/// complete.
struct LV2StateWriter {
  let instance: LV2Instance
  let description: LV2Description
  let world: LilvWorld
  /// Values of the control inputs, by port index.
  let controls: UnsafeMutablePointer<Float>

  /// Writes the folder; an existing one is replaced where that is allowed. Returns notes about the
  /// state for the user, a sentence each.
  func write(to folder: String, label: String, replaces: Bool) throws(Failure) -> [String] {
    let folder = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    if let kind = FileTree.kind(folder, follows: false) {
      guard replaces else { throw Failure(.unreadable, "'\(folder)' exists already") }
      // No other folder is ever removed.
      let names = kind == S_IFDIR ? FileTree.names(folder) : ["it"]
      guard names.isEmpty || names.contains("manifest.ttl") && names.contains("state.ttl") else {
        throw Failure(
          .unreadable, "'\(folder)' is no saved state, and is not replaced")
      }
    }
    var name = Array("\(folder).XXXXXX".utf8CString)
    guard mkdtemp(&name) != nil,
      let draft = name.withUnsafeBufferPointer({ $0.baseAddress.map { String(cString: $0) } })
    else {
      let reason =
        errno == ENOENT
        ? "its parent folder does not exist; create it first"
        : String(cString: strerror(errno))
      throw Failure(.unreadable, "'\(folder)' cannot be written: \(reason)")
    }
    StateDrafts.begin(draft)
    defer { StateDrafts.end(draft) }
    chmod(draft, 0o755)
    let notes = try writeState(into: draft, label: label)
    if let failure = FileTree.replaceLinks(in: draft) {
      throw Failure(
        .unreadable,
        "'\(failure.path)', which the state needs, cannot be copied: \(failure.reason)")
    }
    try readBack(draft, label: label)
    try move(draft, to: folder)
    return notes
  }

  private func writeState(into draft: String, label: String) throws(Failure) -> [String] {
    var map = URIDMap.mapFeature
    var unmap = URIDMap.unmapFeature
    let uri = description.uri
    guard let node = LilvNode(world.pointer, uri: uri),
      let plugin = lilv_plugins_get_by_uri(
        lilv_world_get_all_plugins(world.pointer), node.pointer)
    else { throw Failure(.unusablePlugin, "LV2 plugin '\(uri)' cannot be described") }
    // lilv uses only ports that it has read; it reads them when it is asked for their number.
    _ = lilv_plugin_get_num_ports(plugin)
    let scratch = instance.features.paths.folder
    // lilv copies the plugin's own files into existing folders only.
    if let scratch { FileTree.makeFolders(of: scratch, in: draft) }
    defer { FileTree.removeEmptyFolders(in: draft) }
    let values = PortValues(description, controls)
    var status = LV2_STATE_SUCCESS
    let state = LV2Instance.guarded(instance.features.place) {
      fx_lv2_take_state(
        plugin, instance.voice.descriptor, instance.voice.handle, &map,
        scratch, draft,
        { symbol, values, size, type in
          guard let symbol, let values else { return nil }
          return Unmanaged<PortValues>.fromOpaque(values).takeUnretainedValue()
            .value(String(cString: symbol), size, type)
        }, Unmanaged.passUnretained(values).toOpaque(), instance.features.stateList, &status)
    }
    withExtendedLifetime(values) {}
    guard let state else {
      throw Failure(.unusablePlugin, "LV2 plugin '\(uri)' returned no state")
    }
    defer { lilv_state_free(state) }
    lilv_state_set_label(state, label)
    let outcome = lilv_state_save(
      world.pointer, &map, &unmap, state, nil, draft, "state.ttl")
    guard outcome == 0, FileTree.exists("\(draft)/manifest.ttl") else {
      throw Failure(.unreadable, "the state of LV2 plugin '\(uri)' cannot be written")
    }
    guard status != LV2_STATE_SUCCESS else { return [] }
    return ["the plugin did not save all of its state (\(status.meaning))"]
  }

  /// serd 0.30 writes some labels with backslashes and quotation marks in a form that it cannot
  /// read.
  private func readBack(_ draft: String, label: String) throws(Failure) {
    let folder = LV2StateFolder(path: draft, searchPath: LV2SearchPath(draft))
    let state: LV2SavedState
    do throws(Failure) {
      state = try folder.state(of: description.uri)
    } catch {
      guard label.contains("\\") else { throw error }
      throw unreadable(label)
    }
    guard state.label == label else { throw unreadable(label) }
  }

  private func unreadable(_ label: String) -> Failure {
    Failure(
      .unreadable,
      "the label '\(label)' could not be read back; leave out its backslashes and quotation marks")
  }

  /// Moves the complete folder to its final place; the old folder is removed last.
  private func move(_ draft: String, to folder: String) throws(Failure) {
    FileTree.sync(draft)
    defer { FileTree.syncFolder(of: folder) }
    // An atomic exchange: the new state replaces the old one without a gap.
    if FileTree.exists(folder), fx_exchange_names(draft, folder) == 0 { return }
    let old = "\(draft).old"
    let isReplaced = FileTree.exists(folder) && rename(folder, old) == 0
    guard rename(draft, folder) == 0 else {
      let reason = String(cString: strerror(errno))
      if isReplaced { rename(old, folder) }
      throw Failure(.unreadable, "'\(folder)' cannot be written: \(reason)")
    }
    if isReplaced { FileTree.remove(old) }
  }
}

/// Returns the values of control inputs to lilv.
private final class PortValues {
  private var values: [String: UnsafeMutablePointer<Float>] = [:]
  private let type = URIDMap.shared.map(LV2URI.atomFloat)

  init(_ description: LV2Description, _ controls: UnsafeMutablePointer<Float>) {
    // The first of several ports with the same symbol counts. Inputs that fxrun controls are not
    // saved.
    for port in description.parameterPorts where values[port.symbol] == nil {
      values[port.symbol] = controls + port.index
    }
  }

  func value(
    _ symbol: String, _ size: UnsafeMutablePointer<UInt32>?,
    _ type: UnsafeMutablePointer<UInt32>?
  ) -> UnsafeRawPointer? {
    guard let value = values[symbol] else {
      size?.pointee = 0
      type?.pointee = 0
      return nil
    }
    size?.pointee = 4
    type?.pointee = self.type
    return UnsafeRawPointer(value)
  }
}
