import Synchronization

/// Folders of states that are begun and do not have their names yet.
package enum StateDrafts {
  private static let begun = Mutex<Set<String>>([])

  static func begin(_ folder: String) { begun.withLock { _ = $0.insert(folder) } }

  /// Removes a folder, or what has come into its place.
  static func end(_ folder: String) {
    begun.withLock { folders in
      FileTree.remove(folder)
      folders.remove(folder)
    }
  }

  /// Removes all of them, when the process ends in a hurry. From any thread.
  package static func removeAll() {
    begun.withLock { folders in
      for folder in folders { FileTree.remove(folder) }
    }
  }
}
