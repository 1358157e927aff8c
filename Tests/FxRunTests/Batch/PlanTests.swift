import FxKit
@testable import FxRun
import Testing

@Suite struct PlanTests {
  private func filled(_ template: String, _ file: BatchFile, id: String? = nil) throws -> String {
    try BatchTemplate(template).filled(file, index: 7, of: 120, id: id)
  }

  @Test func `a template has a field for every part of a name`() throws {
    let file = BatchFile(path: "music/a/b/take.one.wav", relative: "a/b/take.one.wav")
    #expect(try filled("done/{path}.flac", file) == "done/a/b/take.one.flac")
    #expect(try filled("{name}|{stem}|{ext}|{parent}", file) == "take.one|take.one|wav|b")
    #expect(try filled("{index}-{id}", file) == "007-007")
    #expect(try filled("{id}", file, id: "a/b") == "a_b")
    #expect(try filled("{{{name}}}", file) == "{take.one}")
  }

  @Test func `bytes that are not UTF-8 have a visible form`() {
    #expect(RawPath([0x61, 0xff, 0x2f, 0xc3, 0xa9]).text == "a%FF/é")
    #expect(RawPath([0xe2, 0x98, 0x83, 0xe2, 0x98]).text == "☃%E2%98")
    #expect(RawPath("é").isText && !RawPath([0xc3]).isText && RawPath("").text == "")
    let file = BatchFile(listed: RawPath(Array("../x/".utf8) + [0x80] + Array(".wav".utf8)))
    #expect(file.path == "../x/%80.wav" && file.relative == "x/%80.wav" && file.raw != nil)
    #expect(BatchFile(listed: "a/b.wav").raw == nil)
  }

  @Test func `no field can lead above the folder of the outputs`() throws {
    let file = BatchFile(path: "in/...wav", relative: "in/...wav")
    for id in ["..", ".", "../..", "/", "../x"] {
      let steps = try filled("done/{id}/{id}.flac", file, id: id).split(separator: "/")
      #expect(steps.count == 3 && !steps.contains("..") && !steps.contains("."), "\(steps)")
    }
    #expect(try filled("done/{id}/x.flac", file, id: "..") == "done/__/x.flac")
    #expect(try filled("done/{id}{id}/x.flac", file, id: ".") == "done/__/x.flac")
    #expect(try filled("done/{name}/x.flac", file) == "done/__/x.flac")
    #expect(try filled("done/{path}/x.flac", file) == "done/in/__/x.flac")
    // The steps of the template are the user's own.
    #expect(try filled("../{id}/../x.flac", file, id: "..") == "../__/../x.flac")
    #expect(try filled("./{id}..flac", file, id: "a") == "./a..flac")
    // A file without a folder has no parent.
    #expect(try filled("{parent}/{name}.flac", BatchFile(named: "take.wav")) == "./take.flac")
  }

  @Test(arguments: ["", "a{", "a{nmae}", "}", "{name"])
  func `a wrong template is refused with the known fields`(
    _ text: String
  ) {
    #expect {
      _ = try BatchTemplate(text)
    } throws: { error in
      let failure = error as? ChainFailure
      return failure?.kind == .request && failure?.hints.first?.contains("{path}") == true
    }
  }

  @Test(arguments: [
    ("done/{name}.flac", "done"), ("{name}.flac", "."), ("/a/b/{path}", "/a/b"), ("/{name}", "/"),
    ("a/b{name}/c", "a"),
  ])
  func `the folder of all outputs ends before the first field`(
    _ template: String, _ folder: String
  ) throws {
    #expect(try BatchTemplate(template).folder == folder)
  }

  @Test func `a listed file keeps its folders but cannot leave the output folder`() {
    #expect(BatchFile(listed: "/data/a/x.wav").relative == "data/a/x.wav")
    #expect(BatchFile(listed: "../../a/./x.wav").relative == "a/x.wav")
    #expect(BatchFile(listed: "a/../../x.wav").relative == "a/x.wav")
    #expect(BatchFile(named: "/data/a/x.wav").relative == "x.wav")
    #expect(BatchFile(named: "x").ending == "")
    #expect(BatchFile(named: ".x").stem == ".x")
  }

  @Test func `all duplicate outputs are reported together`() throws {
    let files = ["a/x.wav", "b/x.wav", "c/y.wav", "c/y.mp3", "z.wav"].map(BatchFile.init(listed:))
    #expect {
      _ = try BatchPlan(files, BatchTemplate("out/{name}.flac"))
    } throws: { error in
      let message = (error as? ChainFailure)?.message ?? ""
      return message.contains("out/x.flac from a/x.wav, b/x.wav")
        && message.contains("out/y.flac from c/y.wav, c/y.mp3") && !message.contains("z.wav")
    }
    let plan = try BatchPlan(files, BatchTemplate("out/{path}.{ext}"))
    #expect(plan.jobs.map(\.output) == files.map { "out/\($0.relative)" })
  }

  @Test(arguments: ["{path}.wav", "./{path}.wav", "missing/../{path}.wav"])
  func `an output that would overwrite an input is refused in any spelling`(_ template: String)
    throws
  {
    let files = ["a.wav", "b.wav"].map(BatchFile.init(named:))
    #expect {
      _ = try BatchPlan(files, BatchTemplate(template))
    } throws: { ($0 as? ChainFailure)?.code == "overwritten-input" }
  }

  @Test func `shards divide the files independently of their order and of other files`() throws {
    let files = (0..<500).map { BatchFile(path: "/mnt/\($0).wav", relative: "\($0).wav") }
    for count in [1, 2, 3, 8] {
      var owners = [Int](repeating: 0, count: files.count)
      for number in 1...count {
        let shard = try BatchShard("\(number)/\(count)", environment: [:])
        for (index, file) in files.enumerated() where shard.contains(file) { owners[index] += 1 }
        let elsewhere = BatchFile(path: "/data/7.wav", relative: "7.wav")
        #expect(shard.contains(elsewhere) == shard.contains(files[7]))
        #expect(files.count(where: shard.contains) > 500 / count / 2)
      }
      #expect(owners.allSatisfy { $0 == 1 })
    }
  }

  @Test(arguments: ["0/3", "4/3", "1", "1/", "a/b", "1/3/5", "-1/3", "slurm"])
  func `an impossible shard is refused`(_ text: String) {
    #expect(throws: ChainFailure.self) { _ = try BatchShard(text, environment: [:]) }
  }

  @Test func `Slurm's variables select a shard`() throws {
    func shard(_ variables: [String: String]) throws -> String {
      try BatchShard("slurm", environment: variables).text
    }
    var array = [
      "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "9",
      "SLURM_ARRAY_TASK_STEP": "2", "SLURM_ARRAY_TASK_COUNT": "5", "SLURM_PROCID": "0",
      "SLURM_NTASKS": "4",
    ]
    #expect(try shard(array) == "4/5")
    array["SLURM_STEP_ID"] = "0"
    array["SLURM_PROCID"] = "2"
    #expect(try shard(array) == "15/20")
    array["SLURM_ARRAY_TASK_COUNT"] = "3"
    #expect(throws: ChainFailure.self) { try shard(array) }
    #expect(
      try shard(["SLURM_STEP_ID": "0", "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "3"]) == "2/3")
  }
}
