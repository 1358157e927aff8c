import Glibc

/// Why something could not be done: a code for programs, and a message with a remedy for people.
///
/// A unit of your own throws it for options that it cannot be made with.
public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: FailureCode
  /// The file or device, as the user named it; empty for none.
  public let path: String
  /// What happened and what to do, without the path. A device's name is part of the message.
  public let message: String
  /// Possible corrections.
  package var hints: [String] = []
  /// The wrong UTF-8 bytes of a text; nil for the whole text.
  package var part: Range<Int>?
  /// Why a device is not there yet but may be later; nil for every other error.
  package var absence: String?
  /// The files that keep the sound from before a source failed.
  package var partials: [String] = []

  package init(_ code: FailureCode, _ path: String, _ message: String) {
    self.code = code
    self.path = path
    self.message = message
  }

  /// A failure that concerns no file or device.
  package init(
    _ code: FailureCode, _ message: String, hints: [String] = [], part: Range<Int>? = nil
  ) {
    self.init(code, "", message)
    self.hints = hints
    self.part = part
  }

  /// The mistake in a unit's options, or another reason why the unit cannot be made, for people:
  /// `"the size is a power of two, not 48"`. Messages name the node before it.
  public init(_ message: String) { self.init(.usage, message) }

  public var description: String {
    switch code {
    case .deviceUnavailable, .deviceLost: message
    default: path.isEmpty ? message : "\(path): \(message)"
    }
  }
}

extension Failure {
  /// What `errno` says about opening or reading a file.
  package static func reading(_ path: String, errno code: Int32) -> Failure {
    switch code {
    // Bytes that are not valid UTF-8 were replaced by this character.
    case ENOENT where path.contains("\u{fffd}"):
      Failure(.notFound, path, "a file whose name is not UTF-8 cannot be opened; rename it")
    case ENOENT, ENOTDIR:
      Failure(.notFound, path, "no such file; check the name and the folder")
    case EISDIR:
      Failure(.isDirectory, path, "this is a folder; name an audio file in it")
    case EACCES, EPERM:
      Failure(.unreadable, path, "no permission to read it; change its mode or copy it")
    case ENAMETOOLONG:
      Failure(.notFound, path, "the name is too long for the file system")
    default:
      Failure(.unreadable, path, "cannot be read: \(systemMessage(code))")
    }
  }

  /// What `errno` says about creating or writing a file.
  package static func writing(_ path: String, errno code: Int32) -> Failure {
    switch code {
    case ENOSPC, EDQUOT:
      Failure(
        .diskFull, path, "the disk is full; free some space or write to another with -o")
    case EFBIG:
      Failure(
        .diskFull, path, "it has become too large for the file system or for a limit (ulimit -f)")
    case ENOENT, ENOTDIR:
      hasFolder(path)
        ? Failure(.unwritable, path, "no file can be made in that folder; write to another folder")
        : Failure(.unwritable, path, "its folder does not exist; create it first")
    case EISDIR:
      Failure(.isDirectory, path, "this is a folder; give the name of a file in it")
    case EACCES, EPERM, EROFS:
      Failure(
        .unwritable, path,
        code == EROFS
          ? "the file system is read-only; write to another folder"
          : "no permission to write there; write to another folder")
    case EPIPE:
      Failure(.unwritable, path, "the program that reads it has ended")
    case ENAMETOOLONG:
      Failure(.unwritable, path, "the name is too long for the file system")
    default:
      Failure(.unwritable, path, "cannot be written: \(systemMessage(code))")
    }
  }

  /// True when the folder of the path exists.
  private static func hasFolder(_ path: String) -> Bool {
    guard !path.hasSuffix("/") else { return false }
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "."
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The system's sentence for an `errno` value.
  package static func systemMessage(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
