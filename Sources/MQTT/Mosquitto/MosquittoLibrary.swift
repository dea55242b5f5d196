import CMosquitto

/// The library as a whole.
enum MosquittoLibrary {
  /// `mosquitto_lib_init` is not thread-safe and wanted once; a lazy `static let` is just that.
  static let isReady: Bool = {
    // The library reads a message whole, of whatever size, before it can be dropped. Freed once, glibc would take
    // the next of its size from the heap and keep twice as much of that resident; a fixed threshold gives large
    // blocks back.
    mallopt(M_MMAP_THRESHOLD, 256 * 1024)
    return mosquitto_lib_init() == MOSQ_ERR_SUCCESS.code
  }()

  /// The library's words for a `MOSQ_ERR_…` code.
  static func words(for code: Int32) -> String { String(cString: mosquitto_strerror(code)) }
}

extension mosq_err_t {
  /// The value as the library's functions return it.
  var code: Int32 { rawValue }
}
