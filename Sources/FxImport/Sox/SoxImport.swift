import FxChain
import FxKit
import FxNodes

/// Reads the effects of a command line of sox: `highpass 80 compand 0.1,0.3 -60,-60,-20,-20,0,-10`.
///
/// Source: sox 14.4.2, as docs/import/sox.md names its files.
struct SoxImport {
  private(set) var effects: [SourceValue] = []
  private(set) var graph = ChainGraph()

  init(_ text: String, _ importing: Importing) {
    var path = SignalPath(width: 2)
    var isStereo = false
    for words in Self.effects(EffectWords.split(text)) {
      let source = SourceValue(.scalar(words[0]), line: 1, path: words.joined(separator: " "))
      effects.append(source)
      let effect = SoxEffect(
        name: words[0], arguments: Array(words.dropFirst()),
        effect: Effect(
          source: source, options: SoxEffect.options(of: words[0], words.dropFirst()),
          importing: importing))
      let width = path.width
      effect.add(to: &path)
      isStereo = isStereo || effect.namesChannels || path.width != width
      source.settle()
    }
    graph = path.graph()
    if isStereo { graph.channels = 2 }
  }

  /// Each effect with its arguments: these end where the name of another effect stands.
  private static func effects(_ words: [String]) -> [[String]] {
    var effects: [[String]] = []
    for word in words {
      if effects.isEmpty || SoxEffect.names.contains(word) {
        effects.append([word])
      } else {
        effects[effects.count - 1].append(word)
      }
    }
    return effects
  }
}
