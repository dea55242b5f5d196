/// How the program ends: the numbers of BSD's `sysexits.h`, which systemd names in its messages.
enum ExitStatus: Int32, Error {
  case success = 0
  /// Something failed while it ran.
  case failure = 1
  /// The command line makes no sense (`EX_USAGE`).
  case usage = 64
  /// The configuration has mistakes, or there is none (`EX_CONFIG`).
  case configuration = 78
}
