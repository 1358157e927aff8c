import FxAudio

/// Models of amplifiers that nodes name.
extension GraphBuilder {
  /// Reads the model that an option names; nil where it cannot be played, which is reported.
  func model(_ name: String, _ place: Place, _ draft: NodeBuilder) -> OptionValue? {
    let path = ChainFile.path(name, relativeTo: draft.scope.document.path)
    if models[path] != nil { return .model(path) }
    let bytes: [UInt8]
    do throws(Failure) {
      bytes = try files.read(path)
    } catch {
      report(.unreadableFile, "'\(path)' cannot be read: \(error.message)", place)
      return nil
    }
    do throws(Failure) {
      models[path] = try NeuralModelReader.model(bytes, path: path)
      return .model(path)
    } catch {
      report(
        .invalidValue, "the model '\(path)' cannot be played: \(error.message)", place,
        hints: error.hints)
      return nil
    }
  }
}
