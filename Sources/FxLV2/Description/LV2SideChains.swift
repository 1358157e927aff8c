/// Distinguishes side-chain inputs from main ones where a plugin does not declare them.
///
/// Declarations (`lv2:isSideChain`, or a port group that is the side-chain of another) come first.
/// Without any, the names of the inputs decide. If every input would be a side-chain, none is.
enum LV2SideChains {
  static func marked(_ ports: [LV2Port]) -> [LV2Port] {
    var ports = ports
    let inputs = ports.indices.filter { ports[$0].kind == .audio && ports[$0].isInput }
    if !inputs.contains(where: { ports[$0].isSideChain }) {
      for index in inputs {
        ports[index].isSideChain =
          isSideChain(ports[index].symbol) || isSideChain(ports[index].name)
      }
    }
    if inputs.allSatisfy({ ports[$0].isSideChain }) {
      for index in inputs { ports[index].isSideChain = false }
    }
    return ports
  }

  /// True for `sidechain_in`, `Side-Chain L`, `sc_l`, `in_sc`, `key` and the like.
  static func isSideChain(_ name: String) -> Bool {
    let words = name.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
    let marks: Set<Substring> = ["sc", "scl", "scr", "sidechain", "key", "keyl", "keyr"]
    return words.joined().contains("sidechain") || words.contains { marks.contains($0) }
  }
}
