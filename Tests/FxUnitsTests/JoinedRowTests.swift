import CKernels
import FxAudio
import FxEngine
import FxTestSupport
@testable import FxUnits
import Testing

/// Filter cascades in a row, rendered together and separately.
@Suite struct JoinedRowTests {
  /// A row of several units' cascades, and the memory that they share.
  private struct Row: ~Copyable {
    var cascades: [UnsafeMutablePointer<FilterCascade>] = []
    let joined: JoinedFilters
    private let memory: UnsafeMutablePointer<Int>
    private let last: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

    init(_ counts: [Int], channels: Int, vectorLevel: Int) {
      for (unit, count) in counts.enumerated() {
        let cascade = UnsafeMutablePointer<FilterCascade>.allocate(capacity: 1)
        cascade.initialize(
          to: FilterCascade(
            sectionCount: count, channelCount: channels, sampleRate: 48000,
            vectorLevel: vectorLevel))
        for index in 0..<count {
          let number = unit + index
          cascade.pointee.set(
            index,
            FilterSection(
              FilterShape.allCases[number % 8], frequency: 90 * Double(number + 1) + 40,
              quality: 0.8, amplitude: number % 2 == 0 ? 1.5 : 0.7, sampleRate: 48000))
        }
        cascades.append(cascade)
      }
      memory = .allocate(capacity: JoinedFilters.wordCount(counts.count))
      joined = JoinedFilters(count: counts.count, in: memory)
      last = .allocate(capacity: counts.count)
      for unit in counts.indices {
        (last + unit).initialize(to: .allocate(capacity: channels))
        last[unit].initialize(repeating: 0, count: channels)
      }
    }

    deinit {
      for (unit, cascade) in cascades.enumerated() {
        cascade.deinitialize(count: 1)
        cascade.deallocate()
        last[unit].deallocate()
      }
      memory.deallocate()
      last.deallocate()
    }

    /// The samples in the buffers that all units use, and the last samples of all but the last unit.
    func render(_ input: [[Float]], blocks: [Int], together: (Int) -> Bool) -> [[Float]] {
      let buffers = input.map { channel in
        let buffer = UnsafeMutablePointer<Float>.allocate(capacity: channel.count)
        buffer.initialize(from: channel, count: channel.count)
        return buffer
      }
      defer { for buffer in buffers { buffer.deallocate() } }
      let count = input[0].count
      var samples: [[Float]] = []
      var (start, number) = (0, 0)
      while start < count {
        let end = min(count, start + blocks[number % blocks.count])
        let outputs = buffers.map { $0 + start }
        outputs.withUnsafeBufferPointer { outputs in
          outputs.map { UnsafePointer($0) }.withUnsafeBufferPointer { inputs in
            guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
            if together(number) {
              for (unit, cascade) in cascades.enumerated() {
                let joins = cascade.pointee.join(joined.place(unit))
                #expect(joins)
              }
              joined.render(
                inputs, outputs, frame: start, frameCount: end - start,
                lastSamples: UnsafePointer(last))
            } else {
              renderApart(inputs, outputs, start, end - start, channels: input.count)
            }
          }
        }
        for unit in cascades.indices.dropLast() {
          samples.append((0..<input.count).map { last[unit][$0] })
        }
        (start, number) = (end, number + 1)
      }
      return buffers.map { Array(UnsafeBufferPointer(start: $0, count: count)) } + samples
    }

    private func renderApart(
      _ inputs: UnsafePointer<UnsafePointer<Float>>,
      _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frame: Int, _ frameCount: Int,
      channels: Int
    ) {
      withUnsafePointer(to: ParameterSignal(constant: 0)) { parameters in
        for (unit, cascade) in cascades.enumerated() {
          cascade.pointee.render(
            RenderBlock(
              inputs: inputs, inputCount: channels, outputs: outputs, outputCount: channels,
              frameCount: frameCount, frame: frame, parameters: parameters),
            from: 0, to: frameCount)
          for channel in 0..<channels { last[unit][channel] = outputs[channel][frameCount - 1] }
        }
      }
    }
  }

  private static let rows = [
    [1, 10], [2, 10], [1, 3], [1, 1], [2, 1], [1, 1, 1], [2, 1, 2, 1], [1, 1, 1, 1, 1],
    [1, 2, 1, 2, 1, 1],
  ]

  @Test(arguments: rows)
  func `joined cascades give the bits of separate ones, with every instruction set`(_ counts: [Int])
  {
    // Sound, then silence until states are too small to be heard.
    var input = (1...3).map { Signal.noise(900, seed: UInt64($0)) + Signal.silence(7500) }
    for (index, sample) in [Float.nan, 1e30, -0.0, .infinity, 1e18].enumerated() {
      input[index % 3][100 + 40 * index] = sample
    }
    func bits(_ sound: [[Float]]) -> [[UInt32]] { sound.map { $0.map(\.bitPattern) } }
    for channels in 1...3 {
      let part = Array(input.prefix(channels))
      for blocks in [[1, 7, 64, 3], [5000]] {
        let apart = Row(counts, channels: channels, vectorLevel: 0)
        let expected = bits(apart.render(part, blocks: blocks) { _ in false })
        for level in 0...3 {
          let row = Row(counts, channels: channels, vectorLevel: level)
          // Sometimes one by one, as while parameters move.
          let output = bits(row.render(part, blocks: blocks) { $0 % 5 != 3 })
          let isSame = output == expected
          #expect(isSame, "level \(level), \(channels) channels, blocks \(blocks)")
        }
      }
    }
  }

  @Test func `rows are divided into passes that have room for them`() {
    #expect(FilterRow.filtersPerPass == Int(FX_FILTERS_PER_PASS))
    #expect(FilterRow.passes([1, 10]) == [2])
    #expect(FilterRow.passes([2, 10]) == [2])
    #expect(FilterRow.passes([1, 11]) == [1, 1])
    #expect(FilterRow.passes([3, 10]) == [1, 1])
    #expect(FilterRow.passes([4, 1, 1, 10]) == [1, 2, 1])
    #expect(FilterRow.passes([Int](repeating: 1, count: 14)) == [6, 6, 2])
    #expect(FilterRow.passes([5]) == [1])
    #expect(FilterRow.passes([]) == [])
  }
}
