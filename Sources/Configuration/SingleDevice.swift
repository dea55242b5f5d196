public import DeviceModel

extension Configuration {
  /// Checks one device that does not come from a file as one of a file is checked.
  ///
  /// - Returns: the device, nil if one of the problems is an error, and all problems.
  public static func device(
    from written: Value.Members, kinds: [Kind]
  ) -> (device: Device?, problems: [ConfigurationProblem]) {
    let place = SourceLocation(file: "device")
    let documents = DocumentReader(secrets: SecretSource(environment: processEnvironment))
    var check = ConfigurationCheck(kinds: kinds, documents: documents)
    let options = deviceSchema.check(
      LocatedValue(.object(written), at: place), path: "", location: place, problems: &check.problems)
    let devices = check.devices([options])
    let isWrong = check.problems.contains { $0.severity == .error }
    return (isWrong ? nil : devices.first, check.problems)
  }
}
