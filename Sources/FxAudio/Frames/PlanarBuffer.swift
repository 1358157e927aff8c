/// Owns one buffer of samples per channel, all in one allocation, initialized to silence.
package final class PlanarBuffer: @unchecked Sendable {
  // Sendable: the pointers never change; the users agree on who may access the samples.
  package let channelCount: Int
  package let frameCount: Int
  private let samples: UnsafeMutablePointer<Float>
  private let table: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  package init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    let total = max(channelCount * frameCount, 1)
    samples = .allocate(capacity: total)
    samples.initialize(repeating: 0, count: total)
    table = .allocate(capacity: max(channelCount, 1))
    for channel in 0..<channelCount {
      (table + channel).initialize(to: samples + channel * frameCount)
    }
  }

  /// Room for `frameCount` frames, or fewer for many channels: at most a million samples in all,
  /// and at least one frame.
  package convenience init(channelCount: Int, atMost frameCount: Int) {
    let fitting = max(1, (1 << 20) / max(channelCount, 1))
    self.init(channelCount: channelCount, frameCount: min(frameCount, fitting))
  }

  deinit {
    table.deallocate()
    samples.deallocate()
  }

  package var channels: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(table) }

  /// The same buffers, read-only.
  package var readable: UnsafePointer<UnsafePointer<Float>> {
    UnsafeRawPointer(table).assumingMemoryBound(to: UnsafePointer<Float>.self)
  }

  package subscript(channel: Int) -> UnsafeMutablePointer<Float> { table[channel] }
}

/// Converts between one buffer per channel and one buffer of interleaved frames.
package enum Interleaving {
  /// From the channel order of a file to that of its layout.
  package static func split(
    _ frames: UnsafePointer<Float>, _ order: ChannelOrder, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>
  ) {
    let width = order.layout.channelCount
    guard !order.isStraight else {
      return split(frames, channelCount: width, frameCount: frameCount, into: channels)
    }
    for channel in 0..<width {
      let source = frames + order.places[channel]
      for frame in 0..<frameCount { channels[channel][frame] = source[frame * width] }
    }
  }

  package static func split(
    _ frames: UnsafePointer<Float>, channelCount: Int, frameCount: Int,
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, at offset: Int = 0
  ) {
    if channelCount == 1 {
      (channels[0] + offset).update(from: frames, count: frameCount)
    } else if channelCount == 2 {
      let left = channels[0] + offset
      let right = channels[1] + offset
      for frame in 0..<frameCount {
        left[frame] = frames[2 * frame]
        right[frame] = frames[2 * frame + 1]
      }
    } else {
      for channel in 0..<channelCount {
        let target = channels[channel] + offset
        for frame in 0..<frameCount { target[frame] = frames[frame * channelCount + channel] }
      }
    }
  }
}
