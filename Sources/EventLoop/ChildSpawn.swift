import CLinux
import Glibc

/// Starts programs that share nothing with this one but what they are given: no signal is blocked or ignored, no other
/// descriptor is open, and each leads a process group of its own, so that Ctrl-C at the terminal is not for it.
public enum ChildSpawn {
  /// The process id of the program, which the caller reaps.
  ///
  /// - Parameters:
  ///   - command: A program, looked up in PATH when there is no `/` in it, and its arguments.
  ///   - environment: `NAME=value` each.
  ///   - descriptors: What its descriptors from 0 on are to be; nil for `/dev/null`.
  public static func start(
    _ command: [String], environment: [String] = inheritedEnvironment, descriptors: [Int32?]
  ) throws(SystemCallFailure) -> Int32 {
    guard let program = command.first, !program.isEmpty else {
      throw SystemCallFailure("no program is named", code: EINVAL)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in zip(Int32(0)..., descriptors) {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    // A library's socket that lived on in the child would hide the bridge's death from the broker.
    posix_spawn_file_actions_addclosefrom_np(&actions, Int32(descriptors.count))

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    var arguments = command.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var identifier = pid_t()
    let code = posix_spawnp(&identifier, program, &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw SystemCallFailure("cannot start '\(program)'", code: code) }
    return identifier
  }

  /// Variables that are meant for this process alone.
  private static let withheld = [
    "NOTIFY_SOCKET=", "WATCHDOG_PID=", "WATCHDOG_USEC=", "LISTEN_", "CREDENTIALS_DIRECTORY=",
  ]

  /// This process's environment, without what is meant for it alone.
  public static var inheritedEnvironment: [String] {
    var all: [String] = []
    var next = environ
    while let text = next.pointee {
      all.append(String(cString: text))
      next += 1
    }
    return all.filter { text in !withheld.contains { text.hasPrefix($0) } }
  }
}
