import ArgumentParser
import FxKit

/// The sample rate of the render, and the conversion of sounds with other rates.
struct RateArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Render at this rate, in place of the chain's own or the main input's: 1000 to 768000.",
      valueName: "hertz"))
  var sampleRate: Double?

  @Option(
    help: ArgumentHelp(
      "How sounds of another rate are converted: low, medium, high or veryHigh (default).",
      valueName: "quality"), completion: .list(RenderRequest.resamplings))
  var resampling: String?

  func apply(to request: inout RenderRequest) {
    request.sampleRate = sampleRate
    request.resampling = resampling
  }
}
