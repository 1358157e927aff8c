import FxAudio
@testable import FxMedia
import FxSoundTestSupport

/// Random schedules at one rate, and their expected sound, calculated frame by frame.
struct ScheduleReference {
  static let sampleRate = 1000.0
  var files: [String: [[Float]]] = [:]
  var regions: [PlayerRegion] = []
  private var state: UInt64

  init(seed: UInt64) {
    state = seed &* 0x9e37_79b9_7f4a_7c15 &+ 1
    for index in 0..<4 {
      let width = index.isMultiple(of: 2) ? 2 : 1
      let count = int(in: 200...3000)
      files["\(index)"] = (0..<width).map { _ in (0..<count).map { _ in sample() } }
    }
    for index in 0..<int(in: 1...12) { addRegion(index) }
  }

  private mutating func bits() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }

  private mutating func int(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(bits() % UInt64(range.count))
  }

  private mutating func sample() -> Float { Float(Int(bits() % 65536) - 32768) / 40000 }

  private mutating func chance(_ percent: Int) -> Bool { int(in: 1...100) <= percent }

  private mutating func fade(_ frames: Int) -> PlayerRegion.Fade {
    let curves = FadeCurve.allCases
    return .init(.frames(int(in: 0...frames)), curves[int(in: 0...curves.count - 1)])
  }

  private mutating func addRegion(_ index: Int) {
    let file = "\(int(in: 0...3))"
    let whole = files[file]?[0].count ?? 0
    var region = PlayerRegion(file: file)
    region.id = "r\(index)"
    let start = chance(50) ? int(in: 0...whole / 2) : 0
    region.start = .frames(start)
    let length = chance(50) ? int(in: 50...whole - start) : whole - start
    region.duration = .frames(length)
    region.playCount = chance(30) ? int(in: 2...5) : 1
    region.isReversed = chance(30)
    region.gain = chance(50) ? Double(int(in: -300...60)) / 10 : 0
    if files[file]?.count == 2, chance(30) {
      region.channels = [[1], [2], [2, 1], [1, 2]][int(in: 0...3)]
    }
    let heard = length * (region.playCount ?? 1)
    switch int(in: 0...3) {
    case 0: region.anchor = .time(.frames(int(in: 0...4000)))
    case 1 where index > 0: region.anchor = .after("r\(int(in: 0...index - 1))")
    case 2 where index > 0: region.anchor = .with("r\(int(in: 0...index - 1))")
    default: region.anchor = .previous
    }
    if case .time = region.anchor {
      region.fadeIn = fade(heard / 2)
    } else if case .with = region.anchor {
      region.offset = .frames(int(in: 0...500))
      region.fadeIn = fade(heard / 2)
    } else if case .previous = region.anchor, index > 0, regions[index - 1].fadeOut == nil,
      !isFadedOver(index - 1)
    {
      // No longer than half of either.
      let before = regions[index - 1]
      let own = min(heard, frames(before.duration) * (before.playCount ?? 1)) / 2
      region.crossfade = fade(own)
    } else if case .previous = region.anchor {
      region.offset = .frames(int(in: 0...100))
    }
    if chance(30) { region.fadeOut = fade(heard / 2) }
    regions.append(region)
  }

  private func isFadedOver(_ index: Int) -> Bool {
    regions.contains { region in
      guard region.crossfade != nil, case .after(let id) = region.anchor else { return false }
      return id == "r\(index)"
    }
  }

  private func frames(_ time: ScheduleTime?) -> Int {
    time?.frame(sampleRate: Self.sampleRate) ?? 0
  }

  // MARK: What it sounds like

  private func length(_ index: Int) -> Int {
    frames(regions[index].duration) * (regions[index].playCount ?? 1)
  }

  private func begin(_ index: Int) -> Int {
    let region = regions[index]
    let later = frames(region.offset) - frames(region.crossfade?.time)
    switch region.anchor {
    case .previous: return index == 0 ? later : begin(index - 1) + length(index - 1) + later
    case .time(let time): return frames(time)
    case .after(let id):
      let other = Int(id.dropFirst()) ?? 0
      return begin(other) + length(other) + later
    case .with(let id): return begin(Int(id.dropFirst()) ?? 0) + later
    }
  }

  private func amplitude(_ curve: FadeCurve, _ share: Double) -> Double {
    switch curve {
    case .linear: share
    case .equalPower: Math.sin(share * (Double.pi / 2))
    case .exponential: Math.amplitude(decibels: 60 * (share - 1))
    case .sCurve: share * share * (3 - 2 * share)
    }
  }

  /// The sum of the regions in their order, one frame at a time.
  func mix(width: Int) -> [[Float]] {
    let end = regions.indices.map { begin($0) + length($0) }.max() ?? 0
    var mix = [[Float]](repeating: [Float](repeating: 0, count: end), count: width)
    for (index, region) in regions.enumerated() {
      guard let file = files[region.file] else { continue }
      let (from, count, piece) = (begin(index), length(index), frames(region.duration))
      let next = regions.indices.dropFirst(index + 1).first
      let over = next.flatMap { index -> PlayerRegion.Fade? in
        if case .previous = regions[index].anchor { regions[index].crossfade } else { nil }
      }
      let fadeIn = region.crossfade ?? region.fadeIn
      let fadeOut = over ?? region.fadeOut
      for frame in 0..<count {
        var gain = Math.amplitude(decibels: region.gain)
        let lead = frames(fadeIn?.time)
        if let fadeIn, frame < lead {
          gain *= amplitude(fadeIn.curve, Double(frame + 1) / Double(lead + 1))
        }
        let out = frames(fadeOut?.time)
        if let fadeOut, count - frame <= out {
          gain *= amplitude(fadeOut.curve, Double(count - frame) / Double(out + 1))
        }
        var place = frame % piece
        if region.isReversed { place = piece - 1 - place }
        let channels = region.channels.isEmpty ? Array(1...file.count) : region.channels
        for channel in 0..<width {
          let own = channels.count == 1 ? channels[0] : channels[channel]
          let sample = file[own - 1][frames(region.start) + place]
          mix[channel][from + frame] = mix[channel][from + frame] + sample * Float(gain)
        }
      }
    }
    return mix
  }

  func schedule() -> (Schedule?, [RegionMistake]) {
    let facts = files.mapValues {
      RegionFile(
        layout: .usual($0.count), sampleRate: Self.sampleRate, frameCount: $0[0].count)
    }
    return ScheduleBuilder.schedule(regions, facts, sampleRate: Self.sampleRate)
  }

  func player(_ schedule: Schedule) -> PlayerSource {
    let files = files
    return PlayerSource("player", schedule) { file in
      ArraySource(files[file] ?? [], sampleRate: Self.sampleRate)
    }
  }
}
