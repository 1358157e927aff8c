import ArgumentParser

@main struct FxRun: ParsableCommand {
  func run() {}
}
