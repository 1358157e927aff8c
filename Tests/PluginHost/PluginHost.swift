import FxAudio
import FxLV2

/// What fxrun is to a plugin with a process of its own, for tests of the library without fxrun.
@main enum PluginHost {
  static func main() {
    if let task = ReceivedTask(Array(CommandLine.arguments.dropFirst())) { LV2Hosting.serve(task) }
  }
}
