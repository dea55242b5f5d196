import Glibc

/// Programs of the machine, found as a shell finds them.
enum Executable {
  /// PATH, and where Debian keeps daemons, which is not in an ordinary user's PATH.
  static var searchPath: [String] {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").map(String.init) + ["/usr/local/sbin", "/usr/sbin", "/sbin"]
  }

  static func find(_ name: String, in directories: [String] = searchPath) -> String? {
    directories.lazy.map { "\($0)/\(name)" }.first { path in
      var information = stat()
      return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }
}
