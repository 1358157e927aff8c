import FxAudio
import FxChain
import FxEngine

extension RenderRequest {
  /// Refuses a text that is no format of a file without a header.
  package static func checkRaw(_ text: String) throws(ChainFailure) {
    _ = try RawFormat(asked: text)
  }
}

extension RawFormat {
  /// The format in a request.
  ///
  /// - Throws: `ChainFailure` of kind `request` for a text that is no format.
  package init(asked text: String) throws(ChainFailure) {
    do throws(Failure) {
      try self.init(text)
    } catch {
      throw ChainFailure(
        .request, code: .usage, "the raw format: \(error.message)", hints: error.hints)
    }
  }
}
