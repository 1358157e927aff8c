import FxAudio

/// The rows of a line that a product reads: each channel at several frames.
struct NeuralTaps: BitwiseCopyable {
  /// The index of the line.
  var line: Int
  /// The first channels of the line, in each frame.
  var channelCount: Int
  /// The frames, the oldest first.
  var count = 1
  /// Frames from one to the next.
  var dilation = 1
}

/// One step of a network without recurrence, for a block of frames. Lines are named by their index.
enum NeuralStep: BitwiseCopyable {
  case product(NeuralProduct)
  case activation(NeuralActivation)
  /// Adds the first channels of a line to another, or copies them.
  case sum(from: Int, to: Int, channelCount: Int, replaces: Bool)
}

/// A matrix, its bias, and what is added to its output.
struct NeuralProduct: BitwiseCopyable {
  var inputs: NeuralTaps
  /// A second line, whose rows follow those of the first.
  var others: NeuralTaps?
  /// Offsets in the weights.
  var weights: Int
  var bias: Int?
  var added: Int?
  var output: Int
  var outputCount: Int
}

struct NeuralActivation: BitwiseCopyable {
  var line: Int
  var channelCount: Int
  var function: NeuralFunction
  /// The function of as many further channels, which are factors of the first.
  var gate: NeuralFunction?
}

/// An activation as the kernels take it.
struct NeuralFunction: BitwiseCopyable {
  let number: Int32
  let slope: Float
}
