import FxAudio
import FxEngine
import FxMedia

extension RenderJob {
  /// Refuses to write a file that is read: an input, a file of the chain, or a replayed log.
  func checkReadFiles(_ inputs: [String], _ path: String) throws(Failure) {
    for input in inputs where input != "-" && isSameFile(input, path) {
      throw Failure(
        .sameAsInput, path, "is the file that is read; give the output another name")
    }
    let units = compiled.resolved.graph.nodes.flatMap { $0.unit?.paths ?? [] }
    let others = [read.chain.path, request.replay?.path].compactMap { $0 }
    for part in read.files.texts.paths + units + others where isSameFile(part, path) {
      throw Failure(
        .sameAsInput, path, "is a file that the chain is made of; give the output another name")
    }
  }
}
