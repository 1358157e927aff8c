import ArgumentParser
import FxAudio
import FxChain
import FxKit

/// Saves the state of one plugin of a chain as a preset.
struct SaveStateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save-state",
    abstract:
      "Save the state that an LV2 plugin of a chain starts with, as a preset with its files.",
    discussion: """
      The folder is what "state" of a chain names. It can be moved, and is a preset for other LV2 \
      hosts where it stands in LV2_PATH under a name that ends in .lv2.
      """)

  @OptionGroup var file: ChainArguments

  @Argument(help: "The id of the plugin's node.", completion: .words(.nodes))
  var node: String

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("Write this folder.", valueName: "folder"), completion: .directory)
  var output: String

  @Option(help: "The preset's name (default: the folder's name).")
  var label: String?

  @Flag(help: "Replace a folder that is there already.")
  var force = false

  @OptionGroup var stream: StreamArguments

  @Flag(help: "Print what was written, or the error, as JSON.")
  var json = false

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("-o names no folder") }
    guard label?.isEmpty != true else {
      throw ValidationError("--label is empty; leave it out to have the folder's name")
    }
  }

  func run() throws {
    do throws(ChainFailure) {
      let notes = try file.load().saveState(
        ofNode: node, to: output, label: label, replaces: force, sampleRate: stream.sampleRate,
        channels: stream.width)
      if json {
        Output.json(
          .members([
            "state": .string(output), "node": .string(node),
            "notes": .array(notes.map { .string($0) }),
          ]))
      } else {
        Output.line(ForeignText.visible("\(output): the state of '\(node)'"))
        for note in notes { Output.error("note: \(ForeignText.visible(note))") }
      }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
  }
}
