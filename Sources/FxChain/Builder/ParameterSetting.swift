/// A value for one parameter: `comp.threshold`, `-18 dB`, as a chain would write them.
public struct ParameterSetting: Sendable, Equatable {
  public var parameter: String
  public var value: String

  public init(_ parameter: String, _ value: String) {
    self.parameter = parameter
    self.value = value
  }
}
