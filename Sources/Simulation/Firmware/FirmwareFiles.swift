import Glibc

/// The simulator and the compiled sketches, where `make firmware` leaves them.
public struct FirmwareFiles: Sendable {
  /// Below the top of the repository.
  public static let usualFolder = ".build/arduino"
  /// What is needed to make them.
  public static let packages = [
    "gcc-avr", "avr-libc", "arduino-core-avr", "libsimavr-dev", "libelf-dev", "gcc", "libc6-dev",
  ]

  public let folder: String

  public init(folder: String = usualFolder) { self.folder = folder }

  public var simulator: String { "\(folder)/simduino" }

  /// A sketch for an UNO, such as `PetDoor` or `PetDoor-USB`.
  public func sketch(_ name: String) -> String { "\(folder)/uno/\(name).elf" }

  /// Which of the simulator and `sketches` are not there.
  public func missing(_ sketches: [String]) -> [String] {
    ([simulator] + sketches.map(sketch)).filter { access($0, R_OK) != 0 }
  }
}
