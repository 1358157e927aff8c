import CRealtime
import FxKit

// Functions of libraries that fxrun defines itself, so that plugins call these. If a plugin affects
// the whole process, fxrun blames the plugin or protects the process.

/// Replaces `_exit` for the whole program, plugins included: a plugin that ends the process is
/// reported by name. On any thread.
@c(_exit) public func fxrunExit(_ status: Int32) { PluginHosting.exit(status) }

/// The same for the C name `_Exit`.
@c(_Exit) public func fxrunExitOfC(_ status: Int32) { PluginHosting.exit(status) }

/// The same for `quick_exit`, without the plugin's handlers.
@c(quick_exit) public func fxrunQuickExit(_ status: Int32) { PluginHosting.exit(status) }

/// Marks a thread that a plugin starts as the plugin's thread.
@c(pthread_create) public func fxrunCreateThread(
  _ thread: UnsafeMutableRawPointer?, _ attributes: UnsafeRawPointer?,
  _ body: (@convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?)?,
  _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  fx_boundary_thread(thread, attributes, body, argument)
}

/// A plugin that changes the current folder changes it only for itself.
@c(chdir) public func fxrunChangeFolder(_ path: UnsafePointer<CChar>?) -> Int32 {
  fx_boundary_chdir(path)
}

@c(fchdir) public func fxrunChangeFolder(to descriptor: Int32) -> Int32 {
  fx_boundary_fchdir(descriptor)
}

/// Mistakes that the Turtle parser finds are printed once, with control characters visible.
@c(serd_reader_new) public func fxrunMakeTurtleReader(
  _ syntax: UInt32, _ handle: UnsafeMutableRawPointer?, _ free: UnsafeRawPointer?,
  _ base: UnsafeRawPointer?, _ prefix: UnsafeRawPointer?, _ statement: UnsafeRawPointer?,
  _ end: UnsafeRawPointer?
) -> UnsafeMutableRawPointer? {
  PluginHosting.makeTurtleReader(syntax, handle, free, base, prefix, statement, end)
}
