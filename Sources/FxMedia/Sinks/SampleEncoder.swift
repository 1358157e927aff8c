/// Turns blocks of floats into the bytes of one file format.
protocol SampleEncoder: AnyObject {
  /// False after a failure, which the drain remembers.
  func write(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Bool
  /// Completes headers and hands everything to the system. False after a failure.
  func finish() -> Bool
  /// Hands what was written to the system, with a header that says how long it is: whoever ends the
  /// process from here on leaves that much. False after a failure.
  func refresh() -> Bool
  /// After a failed write, makes a file of what there is room for. False where that cannot be.
  func salvage() -> Bool
  /// The encoder's own words for a failure that is not the drain's.
  var failureMessage: String? { get }
}
