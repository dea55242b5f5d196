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

  /// The key that the sketches were compiled with: 64 hexadecimal digits, made for this folder. Empty when it is not
  /// there.
  public var key: String { text("key") }
  /// Likewise their master PIN.
  public var masterPIN: String { text("master-pin") }

  private func text(_ name: String) -> String {
    guard let file = fopen("\(folder)/\(name)", "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Which of the simulator and `sketches` are not there.
  public func missing(_ sketches: [String]) -> [String] {
    ([simulator] + sketches.map(sketch)).filter { access($0, R_OK) != 0 }
  }
}
