import FxAudio
import FxChain
import FxKit
@testable import FxRun
import FxTestSupport
import Testing

/// Albums as values: groups, gains, records.
@Suite struct AlbumTests {
  private let folder = TemporaryFolder()

  private func blocks(_ loudness: Double, count: Int = 100) -> LoudnessBlocks {
    let place = Int((loudness * 100).rounded(.down))
    let energy = LoudnessBlocks.energy(ofLoudness: loudness) * Double(count)
    return LoudnessBlocks([place: .init(count: count, energy: energy)])
  }

  private func track(
    _ loudness: Double, peak: Double = 0.1, decoded: Double? = nil, isLossy: Bool = false
  ) -> BatchMeasurement {
    let sound = MeasuredLoudness(blocks(loudness), truePeak: peak)
    let file = decoded.map { MeasuredLoudness(blocks($0), truePeak: peak) }
    return BatchMeasurement(sound: sound, file: file ?? sound, isLossy: isLossy)
  }

  private func job(_ index: Int, _ path: String) -> BatchJob {
    BatchJob(index: index, file: BatchFile(path: path, relative: path), output: "out/\(path)")
  }

  @Test func `an album gets the gain from all its blocks, and stops at its highest true peak`() {
    let tracks = [track(-20, peak: 0.2), track(-23, peak: 0.5)]
    let mean =
      Math.decibels(
        amplitude: (Math.amplitude(decibels: -20.0 * 2) + Math.amplitude(decibels: -23.0 * 2)) / 2)
      / 2
    let free = AlbumTarget(loudness: -20).result(tracks)
    #expect(abs((free.album.gain ?? 0) - (-20 - mean)) < 1e-3)
    #expect(abs((free.album.level?.loudness ?? 0) + 20) < 1e-3 && free.remark == nil)
    let loud = AlbumTarget(loudness: -10).result(tracks)
    let ceiling = -1 - Math.decibels(amplitude: 0.5)
    #expect(abs((loud.album.gain ?? 0) - ceiling) < 1e-9)
    #expect(
      abs((loud.album.level?.truePeak ?? 0) - Math.amplitude(decibels: -1.0)) < 1e-9)
    #expect(loud.remark?.contains("target missed by 6.2 LU") == true, "\(loud.remark ?? "")")
  }

  @Test func `without a loudness an album has a level and no gain`() {
    let result = AlbumTarget().result([track(-20, decoded: -20.5), track(-20)])
    #expect(result.album.gain == nil && result.remark == nil)
    #expect(abs((result.album.level?.loudness ?? 0) + 20.24) < 0.02)
  }

  @Test func `with a gain only lossy files are tagged as they are decoded`() {
    let target = AlbumTarget(loudness: -24)
    let lossy = target.result([track(-20, decoded: -20.5, isLossy: true)])
    #expect(abs((lossy.album.level?.loudness ?? 0) + 24.5) < 1e-3)
    let clipped = target.result([track(-20, decoded: -20.5)])
    #expect(abs((clipped.album.level?.loudness ?? 0) + 24) < 1e-3)
  }

  @Test func `an album within the limit is already right, and silence has no gain`() {
    let target = AlbumTarget(loudness: -20, skipped: 0.3)
    #expect(target.result([track(-20.25)]).isAlreadyRight)
    #expect(target.result([track(-20.25)]).album.gain == nil)
    #expect(!target.result([track(-20.35)]).isAlreadyRight)
    let silent = BatchMeasurement(sound: MeasuredLoudness(), file: MeasuredLoudness())
    let result = target.result([silent])
    #expect(result.album == AlbumGain() && result.remark?.contains("has no loudness") == true)
    #expect(target.result([silent, track(-20.25)]).isAlreadyRight)
  }

  @Test func `files of one folder are an album, however the folder is written`() {
    folder.write("a/1.wav", [0])
    folder.write("b/2.wav", [0])
    let root = folder.path
    let jobs = [
      job(1, "\(root)/a/1.wav"), job(2, "\(root)/b/2.wav"), job(3, "\(root)/a/../a/3.wav"),
    ]
    let albums = AlbumGrouping.folder.albums(jobs, tags: [:])
    #expect(albums.map(\.jobs) == [[0, 2], [1]])
    #expect(albums.map(\.name) == ["\(root)/a", "\(root)/b"])
    #expect(AlbumGrouping.track.albums(jobs, tags: [:]).map(\.jobs) == [[0], [1], [2]])
    // A requested tag counts for every file.
    let tagged = AlbumGrouping.tag.albums(jobs, tags: ["album": "X", "album artist": "Y"])
    #expect(tagged.map(\.jobs) == [[0, 1, 2]] && tagged.map(\.name) == ["Y – X"])
  }

  @Test func `a measurement is read back from its record bit for bit`() throws {
    var record = BatchRecord(
      job(1, "a.wav"), .measured, plan: "p", digest: "d", stamp: "s")
    var blocks = LoudnessBlocks()
    for loudness in [-99.97, -70.0, -23.4567, 3.3] { blocks.add(self.blocks(loudness, count: 7)) }
    record.result.measurement = BatchMeasurement(
      sound: MeasuredLoudness(blocks, truePeak: 1.0 / 3),
      file: MeasuredLoudness(self.blocks(-20.1), truePeak: 0.7), isLossy: true)
    let line = Array(record.json.text(indented: false).utf8)
    #expect(try BatchJournal.line(line, place: "j") == .record(record))
    for damage in [("[-7000,7,", "[-1400,0,"), ("[-7000,7,", "[-70000,7,"), ("0.7", "-0.7")] {
      let text = String(decoding: line, as: UTF8.self).replacing(damage.0, with: damage.1)
      #expect(throws: ChainFailure.self) {
        try BatchJournal.line(Array(text.utf8), place: "j")
      }
    }
  }

  @Test func `a measurement counts for the same plan and the same bytes only`() throws {
    folder.write("a.wav", Array("some bytes".utf8))
    let path = "\(folder.path)/a.wav"
    let job = job(1, path)
    let digest = try #require(BatchDigest.digest(ofFile: path))
    var record = BatchRecord(job, .measured, plan: "p", digest: digest, stamp: "other computer")
    record.result.measurement = track(-20)
    folder.write(
      "fxrun-album.2of3.jsonl", Array("\(record.json.text(indented: false))\n".utf8))
    var known = try MeasurementFolder(folder.path)
    #expect(known.record(of: job, plan: "p") == record)
    #expect(known.record(of: job, plan: "q") == nil)
    folder.write("a.wav", Array("other bytes".utf8))
    var changed = try MeasurementFolder(folder.path)
    #expect(changed.record(of: job, plan: "p") == nil)
    var none = try MeasurementFolder("\(folder.path)/none")
    #expect(none.record(of: job, plan: "p") == nil)
  }
}
