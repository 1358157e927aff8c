import CRealtime
import FxKit

// Functions of libraries that fxrun defines itself, so that plugins call these: what a plugin does
// to the whole process is reported as its doing, or kept from the rest of the process.

/// What whoever calls `_exit` in this program calls, plugins included: one that ends the program this
/// way is named. On any thread.
@c(_exit) public func fxrunExit(_ status: Int32) { PluginHosting.exit(status) }

/// The same for the name that C has for it.
@c(_Exit) public func fxrunExitOfC(_ status: Int32) { PluginHosting.exit(status) }

/// A thread that a plugin starts is known for its own.
@c(pthread_create) public func fxrunCreateThread(
  _ thread: UnsafeMutableRawPointer?, _ attributes: UnsafeRawPointer?,
  _ body: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  fx_boundary_thread(thread, attributes, body, argument)
}

/// A plugin that goes to another folder goes alone.
@c(chdir) public func fxrunChangeFolder(_ path: UnsafePointer<CChar>?) -> Int32 {
  fx_boundary_chdir(path)
}

@c(fchdir) public func fxrunChangeFolder(to descriptor: Int32) -> Int32 {
  fx_boundary_fchdir(descriptor)
}

/// A plugin closes no files but its own.
@c(close) public func fxrunClose(_ descriptor: Int32) -> Int32 { fx_boundary_close(descriptor) }

@c(close_range) public func fxrunClose(_ first: UInt32, _ last: UInt32, _ flags: Int32) -> Int32 {
  fx_boundary_close_range(first, last, flags)
}

@c(closefrom) public func fxrunClose(from first: Int32) {
  _ = fx_boundary_close_range(UInt32(max(first, 0)), .max, 0)
}

/// What the parser of descriptions finds wrong is printed once, and visibly.
@c(serd_reader_new) public func fxrunMakeTurtleReader(
  _ syntax: UInt32, _ handle: UnsafeMutableRawPointer?, _ free: UnsafeRawPointer?,
  _ base: UnsafeRawPointer?, _ prefix: UnsafeRawPointer?, _ statement: UnsafeRawPointer?,
  _ end: UnsafeRawPointer?
) -> UnsafeMutableRawPointer? {
  PluginHosting.makeTurtleReader(syntax, handle, free, base, prefix, statement, end)
}
