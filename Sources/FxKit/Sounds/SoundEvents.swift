public import FxMedia

/// The events of a sound whose bytes arrive asynchronously.
///
/// The sequence asks for bytes only when an event is wanted and none is left, so that nothing is buffered but the events of one
/// piece. Parsing runs in the task that asks. When this task is cancelled, the sequence ends with a `CancellationError`.
/// The threads of the parser end with the sequence, with an error, and when the iterator is released.
public struct SoundEvents<Source: AsyncSequence>: AsyncSequence {
  public typealias Element = SoundEvent
  public typealias Failure = any Error

  let source: Source
  let parser: @Sendable () -> SoundParser
  /// The next bytes; nil at the end.
  let piece: Piece
  typealias Piece =
    (inout Source.AsyncIterator, isolated (any Actor)?) async throws -> [UInt8]?

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(
      source: source.makeAsyncIterator(), piece: piece, parser: parser())
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    public typealias Element = SoundEvent
    public typealias Failure = any Error

    var source: Source.AsyncIterator
    let piece: Piece
    /// nil when the sequence has ended.
    var parser: SoundParser?
    /// Events that were not taken yet, the next one last.
    private var events: [SoundEvent] = []
    /// Bytes that were not parsed yet.
    private var bytes: ArraySlice<UInt8> = []
    /// A longer piece is parsed in parts, so that its events need little memory.
    private static var partByteCount: Int { 1 << 14 }

    init(source: Source.AsyncIterator, piece: @escaping Piece, parser: SoundParser) {
      self.source = source
      self.piece = piece
      self.parser = parser
    }

    public mutating func next() async throws -> SoundEvent? { try await next(isolation: nil) }

    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(any Error) -> SoundEvent? {
      do {
        while true {
          try Task.checkCancellation()
          if let event = events.popLast() { return event }
          guard let parser else { return nil }
          if bytes.isEmpty { bytes = try await piece(&source, actor)?[...] ?? [] }
          try Task.checkCancellation()
          var found: [SoundEvent] = []
          if bytes.isEmpty {
            self.parser = nil
            try parser.finish { found.append($0) }
          } else {
            let part = bytes.prefix(Self.partByteCount)
            bytes = bytes.dropFirst(part.count)
            try parser.parse(Array(part)) { found.append($0) }
          }
          events = found.reversed()
        }
      } catch {
        parser = nil
        events = []
        throw error
      }
    }
  }
}

// Sendable: `piece` captures nothing.
extension SoundEvents: @unchecked Sendable where Source: Sendable {}

extension SoundParser {
  /// The events of a sound whose bytes arrive one by one, as from a file handle or a connection.
  ///
  /// ```swift
  /// for try await event in SoundParser.events(of: handle.bytes) { … }
  /// ```
  ///
  /// - Parameters:
  ///   - bytes: parsed in pieces of 1,024.
  ///   - name: the sound's name in messages.
  ///   - hint: a file extension or a MIME type, used if the bytes do not show the format.
  ///   - byteCount: bytes of the whole stream; without it, lengths cannot be estimated.
  ///   - decodes: whether audio is decoded and yielded.
  ///   - packetBytes: whether packets are yielded with their bytes.
  /// - Returns: a sequence that throws the errors of `bytes`, and a `ChainFailure` as `parse` does.
  public static func events<Source: AsyncSequence>(
    of bytes: Source, name: String = "stream", hint: String? = nil, byteCount: Int? = nil,
    decodes: Bool = true, packetBytes: Bool = false
  ) -> SoundEvents<Source> where Source.Element == UInt8 {
    SoundEvents(source: bytes) {
      SoundParser(
        name: name, hint: hint, byteCount: byteCount, decodes: decodes, packetBytes: packetBytes)
    } piece: { iterator, actor in
      var piece: [UInt8] = []
      while piece.count < 1024, let byte = try await iterator.next(isolation: actor) {
        piece.append(byte)
      }
      return piece.isEmpty ? nil : piece
    }
  }

  /// The events of a sound whose bytes arrive in pieces of any size.
  ///
  /// - Parameters:
  ///   - pieces: empty ones are ignored.
  ///   - name: the sound's name in messages.
  ///   - hint: a file extension or a MIME type, used if the bytes do not show the format.
  ///   - byteCount: bytes of the whole stream; without it, lengths cannot be estimated.
  ///   - decodes: whether audio is decoded and yielded.
  ///   - packetBytes: whether packets are yielded with their bytes.
  /// - Returns: a sequence that throws the errors of `pieces`, and a `ChainFailure` as `parse` does.
  public static func events<Source: AsyncSequence>(
    of pieces: Source, name: String = "stream", hint: String? = nil, byteCount: Int? = nil,
    decodes: Bool = true, packetBytes: Bool = false
  ) -> SoundEvents<Source> where Source.Element == [UInt8] {
    SoundEvents(source: pieces) {
      SoundParser(
        name: name, hint: hint, byteCount: byteCount, decodes: decodes, packetBytes: packetBytes)
    } piece: { iterator, actor in
      while let piece = try await iterator.next(isolation: actor) {
        if !piece.isEmpty { return piece }
      }
      return nil
    }
  }
}
