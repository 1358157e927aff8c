import FxAudio
@testable import FxUnits

/// Renders arrays in place through a cascade at 48 kHz; `render` cuts the block.
func cascaded(
  _ input: [[Float]], _ sections: [FilterSection], vectorLevel: Int?,
  render: (inout FilterCascade, RenderBlock) -> Void
) -> [[Float]] {
  var cascade = FilterCascade(
    sectionCount: sections.count, channelCount: input.count, sampleRate: 48000,
    vectorLevel: vectorLevel)
  for (index, section) in sections.enumerated() { cascade.set(index, section) }
  let buffers = input.map { channel in
    let buffer = UnsafeMutablePointer<Float>.allocate(capacity: channel.count)
    buffer.initialize(from: channel, count: channel.count)
    return buffer
  }
  defer { for buffer in buffers { buffer.deallocate() } }
  let count = input.first?.count ?? 0
  withUnsafePointer(to: ParameterSignal(constant: 0)) { parameters in
    buffers.map { UnsafePointer($0) }.withUnsafeBufferPointer { inputs in
      buffers.withUnsafeBufferPointer { outputs in
        guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
        render(
          &cascade,
          RenderBlock(
            inputs: inputs, inputCount: input.count, outputs: outputs, outputCount: input.count,
            frameCount: count, frame: 0, parameters: parameters))
      }
    }
  }
  return buffers.map { Array(UnsafeBufferPointer(start: $0, count: count)) }
}
