import FxAudio
import FxTestSupport
import FxUnits

extension Scenario {
  /// A built-in unit by its name; nil where there is none.
  init?(_ id: String, channels: Int, connectsOptional: Bool = false) {
    guard let type = BuiltInUnits.all.first(where: { $0.spec.id == id }) else { return nil }
    self.init(type, channels: channels, connectsOptional: connectsOptional)
  }
}
