import FxAudio
import Synchronization

/// Unfinished folders of states, which still have temporary names.
package enum StateDrafts {
  private static let begun = Mutex<Set<String>>([])

  static func begin(_ folder: String) { begun.withLock { _ = $0.insert(folder) } }

  /// Removes a folder, or the old folder that has taken its name.
  static func end(_ folder: String) {
    begun.withLock { folders in
      FileTree.remove(folder)
      folders.remove(folder)
    }
  }

  /// Removes all of them, when the process ends early. From any thread.
  package static func removeAll() {
    begun.withLock { folders in
      for folder in folders { FileTree.remove(folder) }
    }
  }
}
