import FxAudio
import FxChain
import FxKit

/// What all importers share: names that are free, nodes that fxrun accepts, and files beside the chain.
final class Importing {
  /// The sample rate that the configuration is made for, in hertz.
  var sampleRate = 48000.0
  let target: ImportTarget
  /// Files that the chain reads.
  private(set) var files: [ImportedFile] = []
  private var ids: Set<String> = ["in", "out"]
  /// The last number of each repeated name.
  private var numbers: [String: Int] = [:]

  init(_ target: ImportTarget) { self.target = target }

  /// An id for a node with this name in the configuration; no other node has it.
  func id(_ name: String) -> String {
    var id = Names.id(from: name, otherwise: "node")
    if !ids.insert(id).inserted {
      let base = id
      var number = numbers[base, default: 1] + 1
      while !ids.insert("\(base)-\(number)").inserted { number += 1 }
      numbers[base] = number
      id = "\(base)-\(number)"
    }
    return id
  }

  /// The reason why fxrun would refuse a node; nil for a node that it takes.
  ///
  /// - Parameter channels: channels of the signal at the node.
  func mistake(of node: some ChainNode, channels: Int) -> String? {
    var node = node.node
    node.id = nil
    // Coefficients that are not written yet cannot be checked.
    if files.contains(where: { node[key: "impulse"] == .string($0.name) && $0.isMade }) {
      return nil
    }
    if let file = files.first(where: { node[key: "impulse"] == .string($0.name) }) {
      node[key: "impulse"] = file.origin.map(ChainValue.string)
    }
    let mistake = Chain({ node }).check(sampleRate: sampleRate, channels: channels).first {
      $0.severity == .error
    }
    return mistake.map { "fxrun: \($0.message)" }
  }

  /// Makes a file with coefficients.
  ///
  /// - Returns: how the chain names it.
  func file(_ name: String, coefficients: [Double]) -> String {
    let name = free("\(target.stem)-\(name).txt")
    files.append(ImportedFile(name: name, content: .text(coefficients.map { "\($0)\n" }.joined())))
    return name
  }

  /// Takes a file that the configuration names.
  ///
  /// - Returns: how the chain names it.
  func file(_ name: String) -> String {
    let path = target.found(name)
    if let taken = files.first(where: { $0.origin == path }) { return taken.name }
    // Files of different folders may have one name.
    let written = free(target.written(path))
    files.append(ImportedFile(name: written, content: .copy(of: path)))
    return written
  }

  /// The text of a file that the configuration includes; nil for one that cannot be read.
  func text(of name: String) -> String? { bytes(of: name).flatMap(TextEncoding.text) }

  /// The content of a file that the configuration names; nil for one that cannot be read.
  func bytes(of name: String) -> [UInt8]? { try? ChainFile.read(target.found(name)) }

  /// The name of a file, with a number before its extension if another file has it.
  private func free(_ name: String) -> String {
    let end = name.lastIndex(of: ".") ?? name.endIndex
    var free = name
    var number = 2
    while files.contains(where: { $0.name == free }) {
      free = "\(name[..<end])-\(number)\(name[end...])"
      number += 1
    }
    return free
  }
}

/// A file that an imported chain reads.
package struct ImportedFile: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// A new file with this text.
    case text(String)
    /// A file that is there already.
    case copy(of: String)
  }

  /// The name, relative to the chain's folder.
  package let name: String
  package let content: Content

  /// True for a file that the import makes.
  package var isMade: Bool { origin == nil }

  var origin: String? {
    if case .copy(let path) = content { path } else { nil }
  }
}
