import CLinux
import Glibc

/// The start of a program. Foundation's way has crashed in a process with thousands of descriptors.
enum Spawn {
  /// - Parameters:
  ///   - arguments: The first is the program's path.
  ///   - environment: replaces that of the test when given.
  static func start(
    _ arguments: [String], environment: [String: String]?, output: Int32, errors: Int32
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    // Libraries open sockets that a child would keep open, and there are thousands while all tests run.
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var words = arguments.map { strdup($0) } + [nil]
    var variables = (environment ?? [:]).map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + variables { free(word) } }
    var pid: pid_t = 0
    let code =
      environment == nil
      ? posix_spawn(&pid, arguments[0], &actions, &attributes, &words, environ)
      : posix_spawn(&pid, arguments[0], &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SystemFailure("start \(arguments[0])", code: code) }
    return pid
  }
}
