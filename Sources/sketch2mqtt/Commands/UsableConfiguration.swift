import Bridge
import DeviceModel

extension LoadedConfiguration {
  /// The settings of the file that was named, else of the first of the usual ones that exists.
  ///
  /// - Throws: the status to end with; what is wrong has been told then.
  static func settings(of named: String?) throws(ExitStatus) -> BridgeSettings {
    let path: String
    do throws(NoConfiguration) {
      path = try ConfigurationPlace.find(named)
    } catch {
      throw .configuration.because("\(error)")
    }
    let loaded = LoadedConfiguration(path: path)
    guard let settings = loaded.settings else {
      StandardStream.error.write(loaded.errors.map { "\($0)\n" }.joined())
      throw .configuration.because(loaded.verdict)
    }
    return settings
  }
}

extension ExitStatus {
  /// This status, told of on standard error.
  func because(_ words: String) -> ExitStatus {
    StandardStream.error.write("sketch2mqtt: \(words)\n")
    return self
  }
}
