package import FxIO

/// Asks a render or a performance to stop. From any thread.
public struct StopSignal: Sendable {
  package let flag = StopFlag()

  public init() {}

  public func stop() { flag.stop() }
  public var isStopped: Bool { flag.isStopped }
}

/// How far a render is.
public struct RenderingProgress: Sendable {
  /// Frames rendered.
  public let frames: Int
  /// Frames of the sound without its tail; nil while unknown.
  public let totalFrames: Int?
  public let elapsedSeconds: Double
  public let sampleRate: Double
}
