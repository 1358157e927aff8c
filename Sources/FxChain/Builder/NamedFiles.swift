/// The files that a chain names, each read once.
final class NamedFiles {
  private let reader: (String) throws(ChainFileError) -> [UInt8]
  private var contents: [String: Result<[UInt8], ChainFileError>] = [:]

  init(_ reader: @escaping (String) throws(ChainFileError) -> [UInt8]) { self.reader = reader }

  func read(_ path: String) throws(ChainFileError) -> [UInt8] {
    if let content = contents[path] { return try content.get() }
    let content: Result<[UInt8], ChainFileError>
    do throws(ChainFileError) {
      content = .success(try reader(path))
    } catch {
      content = .failure(error)
    }
    contents[path] = content
    return try content.get()
  }
}
