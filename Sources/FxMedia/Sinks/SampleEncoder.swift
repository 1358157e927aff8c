/// Encodes blocks of floats as bytes of one file format.
protocol SampleEncoder: AnyObject {
  /// False after a failure; the drain keeps the error.
  func write(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Bool
  /// Completes headers and passes all bytes to the system. False after a failure.
  func finish() -> Bool
  /// Passes the written bytes to the system, with a header that declares their length. If the
  /// process is killed later, this much remains. False after a failure.
  func refresh() -> Bool
  /// After a failed write, makes a valid file from what was written. False if that is impossible.
  func salvage() -> Bool
  /// The encoder's own message for an error that is not the drain's.
  var failureMessage: String? { get }
}
