package import FxAudio
import FxEngine
import FxMedia
import FxPlaying
import Glibc

/// Checks before any sound is read.
extension RenderRequest {
  /// Refuses a main output that cannot be written for any sound, and a cover that cannot be read.
  package func checkOutput(_ path: String) throws(ChainFailure) {
    var asked = self
    asked.carriesTags = false
    do throws(Failure) {
      try FileSink.check(path, asked.encoding(ofFile: path))
      let times = ChapterTimes(nil, asked, sampleRate: 48000)
      let tags = OutputTags(asked, input: nil, [], times)
      try tags.readCover()
      _ = try tags.tags(of: path, asked.encoding(ofFile: path))
    } catch {
      throw ChainFailure(error, error.path == cover && error.path != path ? .input : .request)
    }
  }

  /// Refuses a sound file of an input that cannot be read. Pipes and addresses are not opened.
  package func checkInput(_ endpoint: SourceEndpoint) throws(ChainFailure) {
    guard let path = inputs[endpoint.target], path != "-", HTTPAddress(path) == nil,
      isRegularFile(path) || access(path, F_OK) != 0
    else { return }
    _ = try OpenedSources([endpoint], sourceBindings)
  }
}
