import FxNodes

extension ChainNode {
  /// The node, switched off if the configuration has it off.
  func bypassed(_ isOff: Bool) -> Self { isOff ? key("bypass", true) : self }
}
