import CLilv
import FxAudio
import Glibc

/// Features about events and block lengths.
extension LV2Features {
  /// The reason why not all blocks have the same length (or no power of two); nil where they have.
  static func whyNotFixed(_ preparation: Preparation, powerOf2: Bool) -> String? {
    let length = preparation.nominalFrameCount
    guard preparation.hasFixedBlocks, length == preparation.maximumFrameCount else {
      return "blocks differ in length in a feedback loop and in buffers that a caller renders"
    }
    guard length <= LV2Kernel.maximumFrameCount else {
      return "no plugin gets blocks of more than \(LV2Kernel.maximumFrameCount) frames; "
        + "'blockSize' is \(length)"
    }
    guard !powerOf2 || length & (length - 1) == 0 else {
      return "'blockSize' is \(length), which is not a power of two"
    }
    return nil
  }

  func blockFeatures(_ preparation: Preparation) -> [String] {
    var features: [String] = []
    if LV2Features.whyNotFixed(preparation, powerOf2: false) == nil {
      features.append(LV2URI.fixedBlockLength)
    }
    if LV2Features.whyNotFixed(preparation, powerOf2: true) == nil {
      features.append(LV2URI.powerOf2BlockLength)
    }
    return features
  }

  /// The data of `rsz:resize`, which accepts sizes up to the buffer's capacity. The plugin may call
  /// it in `run`.
  func resizePort(_ description: LV2Description) -> UnsafeMutableRawPointer? {
    let count = description.ports.count
    let table = own(
      capacities: description.ports.map { port in
        switch port.kind {
        case .atom, .event: LV2Memory.capacity(of: port)
        default: 0
        }
      })
    guard let table, count > 0 else { return nil }
    return own(
      LV2_Resize_Port_Resize(data: table) { data, index, size in
        guard let data else { return LV2_RESIZE_PORT_ERR_UNKNOWN }
        // The first entry is the number of ports.
        let table = data.assumingMemoryBound(to: Int.self)
        guard Int(index) < table[0], table[Int(index) + 1] > 0 else {
          return LV2_RESIZE_PORT_ERR_UNKNOWN
        }
        return size <= UInt(bitPattern: table[Int(index) + 1])
          ? LV2_RESIZE_PORT_SUCCESS : LV2_RESIZE_PORT_ERR_NO_SPACE
      })
  }

  private func own(capacities: [Int]) -> UnsafeMutableRawPointer? {
    let table = own(bytes: (capacities.count + 1) * MemoryLayout<Int>.stride)
    guard let table else { return nil }
    let numbers = table.bindMemory(to: Int.self, capacity: capacities.count + 1)
    numbers[0] = capacities.count
    for (index, capacity) in capacities.enumerated() { numbers[index + 1] = capacity }
    return table
  }
}

extension URIDMap {
  /// The feature's data for `uri-map`, which returns the same numbers as the URID map.
  static var uriMapFeature: fx_lv2_uri_map_feature {
    fx_lv2_uri_map_feature(data: nil) { _, _, uri in uri.map { URIDMap.shared.map($0) } ?? 0 }
  }

  /// The feature's data for `event`: fxrun's events have no reference count.
  static var eventFeature: fx_lv2_event_feature {
    fx_lv2_event_feature(data: nil, ref: { _, _ in 0 }, unref: { _, _ in 0 })
  }
}
