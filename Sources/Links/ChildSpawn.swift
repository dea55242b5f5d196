import CLinux
import Glibc

/// Starts a program that shares nothing with this one but what it is given.
enum ChildSpawn {
  /// Variables that are meant for this process alone.
  private static let withheld = [
    "NOTIFY_SOCKET=", "WATCHDOG_PID=", "WATCHDOG_USEC=", "LISTEN_", "CREDENTIALS_DIRECTORY=",
  ]

  /// The process id of `command`, which leads a process group of its own.
  ///
  /// - Parameters:
  ///   - command: A program, looked up in PATH when there is no `/` in it, and its arguments.
  ///   - output: Its standard output.
  ///   - errors: Its standard error.
  static func start(_ command: [String], output: Int32, errors: Int32) -> Result<pid_t, LinkFailure> {
    guard let program = command.first, !program.isEmpty else {
      return .failure(.unavailable("no program is named"))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO)
    // A library's socket that lived on in the child would hide the bridge's death from the broker.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

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
    guard code == 0 else {
      return .failure(.unavailable("cannot start '\(program)': \(SystemError.words(code))"))
    }
    return .success(identifier)
  }

  private static var environment: [String] {
    var all: [String] = []
    var next = environ
    while let text = next.pointee {
      all.append(String(cString: text))
      next += 1
    }
    return all.filter { text in !withheld.contains { text.hasPrefix($0) } }
  }
}
