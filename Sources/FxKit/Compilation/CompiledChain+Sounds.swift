import FxAudio
import FxChain
import FxEngine
import FxMedia

/// The sounds that units load.
extension CompiledChain {
  /// Finds the lengths of the sounds that units load, and checks their channels.
  ///
  /// - Throws: `ChainFailure` with a message for each unreadable or unsuitable sound.
  mutating func measureSounds(_ diagnostics: inout Diagnostics) throws(ChainFailure) {
    for (index, node) in resolved.graph.nodes.enumerated() {
      guard let unit = node.unit else { continue }
      for path in unit.soundPaths where sounds[path] == nil {
        settings.willReadSound(path)
        do throws(Failure) {
          sounds[path] = try SoundReader.measure(
            path, sampleRate: sampleRate, settings.environment.limits)
          soundOwners[index, default: []].append(path)
        } catch {
          diagnostics.add(
            built.diagnostic(
              forSound: path, ofNode: index, .unreadableFile,
              "the sound '\(path)' cannot be read: \(error.message)"))
        }
      }
      guard let spec = (try? settings.units.type(of: unit.kind))?.spec else { continue }
      var values = spec.options.map { ($0, unit.options[$0.key]) }
      for item in unit.items {
        values += (spec.list?.options ?? []).map { ($0, item.options[$0.key]) }
      }
      for (option, value) in values {
        guard case .sound(let width) = option.kind, let path = value?.soundPath,
          let sound = sounds[path]
        else { continue }
        var (channelCount, verb) = (sound.channelCount, "has")
        if case .oneInputOrSquare(let key?) = width,
          let chosen = unit.options[key]?.wholeNumbers, !chosen.isEmpty
        {
          if let missing = chosen.first(where: { $0 > sound.channelCount }) {
            diagnostics.add(
              built.diagnostic(
                forSound: path, ofNode: index, .width,
                "'\(path)' has \(channelWords(sound.channelCount)), but no channel \(missing), which "
                  + "'\(key)' of '\(node.id)' names"))
            continue
          }
          (channelCount, verb) = (chosen.count, "gives")
        }
        let input = resolved.inputWidths[index].first ?? 0
        guard !width.allows(channelCount, input: input) else { continue }
        diagnostics.add(
          built.diagnostic(
            forSound: path, ofNode: index, .width,
            width == .directions
              ? "'\(path)' is no SOFA file, which '\(option.key)' takes"
              : "'\(path)' \(verb) \(channelWords(channelCount)), and '\(node.id)' has "
                + "\(channelWords(input)): '\(option.key)' takes a sound of one channel, of as many, or "
                + "of \(input * input), from each channel to each"))
      }
    }
    if diagnostics.hasErrors { throw ChainFailure(diagnostics.sorted()) }
  }

  /// The memory of decoded sounds in bytes, by the node that names them first.
  var soundMemory: [Int: Int] {
    soundOwners.mapValues { $0.reduce(0) { $0 + (sounds[$1]?.byteCount ?? 0) } }
  }

  /// Decodes those sounds of a node that are not decoded yet.
  func read(
    _ paths: [String], ofNode index: Int, _ limits: OpeningLimits,
    into decoded: inout [String: SoundAsset], _ diagnostics: inout Diagnostics
  ) {
    for path in paths where decoded[path] == nil {
      do throws(Failure) {
        let (sound, warnings) = try SoundReader.read(
          path, sampleRate: sampleRate, frameLimit: sounds[path]?.frameCount ?? 0, limits)
        decoded[path] = sound
        for warning in warnings {
          diagnostics.add(
            built.diagnostic(
              forSound: path, ofNode: index, .damagedSound, "the sound '\(path)': \(warning)"))
        }
      } catch {
        diagnostics.add(
          built.diagnostic(
            forSound: path, ofNode: index, .unreadableFile,
            "the sound '\(path)' cannot be read: \(error.message)"))
      }
    }
  }
}
