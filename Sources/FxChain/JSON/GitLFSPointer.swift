/// A small text that Git LFS leaves in place of a file that was not fetched.
package enum GitLFSPointer {
  package static let message = "this is a pointer of Git LFS, not the file itself"
  package static let hint = "'git lfs pull' fetches it"

  package static func matches(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "version https://git-lfs.github.com/spec/".utf8)
  }
}
