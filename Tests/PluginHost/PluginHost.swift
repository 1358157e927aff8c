import FxLV2

/// What fxrun is to a plugin with a process of its own, for tests of the library without fxrun.
@main enum PluginHost {
  static func main() { IsolationHost.main(Array(CommandLine.arguments.dropFirst(2))) }
}
