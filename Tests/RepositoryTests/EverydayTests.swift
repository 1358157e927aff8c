import Foundation
import FxTestSupport
import Testing

/// The commands of docs/everyday.md do what the page says, with sounds that are made for them.
@Suite(.enabled(if: BuiltProgram.isNamed, "a debug build renders slowly"))
struct EverydayTests {
  private static let blocks = (try? Document("docs/everyday.md").blocks(in: "sh")) ?? []
  private static let programs = Set(
    ["sox", "ffmpeg"].filter { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") })

  /// The program that a block is for.
  private static func program(of block: String) -> String {
    ["fxrun", "sox"].first { block.hasPrefix($0) || block.contains("\n\($0) ") } ?? "ffmpeg"
  }

  @Test func `each task has a command of fxrun`() {
    let count = Self.blocks.count { Self.program(of: $0) == "fxrun" }
    #expect(count == 12)
    #expect(Self.blocks.count > 30)
  }

  @Test(arguments: blocks)
  func `a command of the page runs and writes its files`(_ block: String) throws {
    let program = Self.program(of: block)
    guard program == "fxrun" || Self.programs.contains(program) else { return }
    let folder = try Self.sounds()
    let before = Set(folder.names)
    let output = try Self.run(block, in: folder)
    #expect(output.status == 0, "\(block)\(output.text)")
    #expect(!Set(folder.names).subtracting(before).isEmpty, "\(block)\(output.text)")
  }

  @Test func `fxrun's output for the page matches the page`() throws {
    let folder = try Self.sounds()
    for block in Self.blocks where Self.program(of: block) == "fxrun" {
      let output = try Self.run(block, in: folder)
      #expect(output.status == 0, "\(block)\(output.text)")
    }
    let seconds = try Self.run(
      """
      for f in part joined dense right four padded; do
        fxrun info --json $f.wav | grep -m1 '"durationSeconds"\\|"seconds"'; done
      ls
      """, in: folder)
    let lengths = seconds.text.matches(of: /[sS]econds": ([0-9.]+)/).compactMap { Double($0.1) }
    #expect(lengths.count == 6, "\(seconds.text)")
    for (found, expected) in zip(lengths, [4, 10.5, 9.2, 10, 2.8, 2.2]) {
      #expect(abs(found - expected) < 0.03, "\(seconds.text)")
    }
    let names = Set(folder.names)
    #expect(names.isSuperset(of: ["talk-001.flac", "talk-002.flac"]), "\(names)")
    #expect(!names.contains("talk-003.flac"))
    #expect(names.isSuperset(of: ["001 Intro.mp3", "002 Questions.mp3"]), "\(names)")
  }

  /// The sounds that the page speaks of: a talk of ten seconds with one pause, a short song, five takes.
  private static let prepared = Result { try prepare() }

  /// A folder of its own with these sounds.
  private static func sounds() throws -> TemporaryFolder {
    let (made, folder) = (try prepared.get(), TemporaryFolder())
    for name in made.names {
      try FileManager.default.copyItem(atPath: made.file(name), toPath: folder.file(name))
    }
    return folder
  }

  private static func prepare() throws -> TemporaryFolder {
    let folder = TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("chains"),
      withDestinationPath: Repository.root.appending(path: "chains").path)
    let made = try run(
      """
      fxrun none '\(Fixture.audio("voice.mp3"))' -o a.wav --bits 16 --duration 4 --pad 0,1 -q
      fxrun none '\(Fixture.audio("voice.mp3"))' -o b.wav --bits 16 --start 4 --duration 5 -q
      fxrun chains/join.json -o talk.wav --bits 16 -q \
        --define first="$PWD/a.wav" --define second="$PWD/b.wav" --define fade=0s
      for n in 1 2 3 4 5; do fxrun none chains/sounds/track-$n.flac -o take$n.wav --bits 16 -q; done
      cp take1.wav song.wav
      fxrun plot gain -o art.png
      fxrun none talk.wav -o episode.mp3 --chapter 0:00=Intro --chapter 0:05=Questions -q
      rm a.wav b.wav
      """, in: folder)
    #expect(made.status == 0, "\(made.text)")
    return folder
  }

  private static func run(_ commands: String, in folder: TemporaryFolder) throws -> ProgramOutput {
    // ffmpeg would ask whether it may write over a file.
    let text = """
      set -e; cd '\(folder.path)'
      fxrun() { '\(BuiltProgram.fxrun.path)' "$@"; }
      ffmpeg() { command ffmpeg -nostdin -v error -y "$@"; }
      case '\(commands.contains("2>&1"))' in true) unset -f ffmpeg;; esac
      \(commands)
      """
    return try BuiltProgram.run(URL(filePath: "/bin/bash"), ["-c", text])
  }
}
