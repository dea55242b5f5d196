import DeviceModel

/// A characteristic that Bluetooth has defined, and what it is in Home Assistant's terms.
struct StandardCharacteristic: Sendable {
  var number: UInt32
  var key: String
  var name: String
  var format: AttributeFormat
  var scale = 1.0
  var unit: String?
  var deviceClass: String?
  var decimals = 0
  /// The raw value by which the board says that it does not know.
  var unknown: Double?

  var uuid: BluetoothUUID { BluetoothUUID(assigned: number) }

  static func named(_ uuid: BluetoothUUID) -> StandardCharacteristic? { byUUID[uuid] }

  private static let byUUID = Dictionary(uniqueKeysWithValues: all.map { ($0.uuid, $0) })

  static let all = [
    StandardCharacteristic(
      number: 0x2A19, key: "battery", name: "Battery", format: .unsigned(bytes: 1), unit: "%",
      deviceClass: "battery"),
    StandardCharacteristic(
      number: 0x2A6E, key: "temperature", name: "Temperature", format: .signed(bytes: 2), scale: 0.01,
      unit: "°C", deviceClass: "temperature", decimals: 2, unknown: -32768),
    StandardCharacteristic(
      number: 0x2A6F, key: "humidity", name: "Humidity", format: .unsigned(bytes: 2), scale: 0.01, unit: "%",
      deviceClass: "humidity", decimals: 2, unknown: 65535),
    StandardCharacteristic(
      number: 0x2A6D, key: "pressure", name: "Pressure", format: .unsigned(bytes: 4), scale: 0.1, unit: "Pa",
      deviceClass: "atmospheric_pressure", decimals: 1),
    StandardCharacteristic(
      number: 0x2A6C, key: "elevation", name: "Elevation", format: .signed(bytes: 3), scale: 0.01, unit: "m",
      deviceClass: "distance", decimals: 2),
    StandardCharacteristic(
      number: 0x2A7B, key: "dew_point", name: "Dew point", format: .signed(bytes: 1), unit: "°C",
      deviceClass: "temperature"),
    StandardCharacteristic(
      number: 0x2A7A, key: "heat_index", name: "Heat index", format: .signed(bytes: 1), unit: "°C",
      deviceClass: "temperature"),
    StandardCharacteristic(
      number: 0x2A79, key: "wind_chill", name: "Wind chill", format: .signed(bytes: 1), unit: "°C",
      deviceClass: "temperature"),
    StandardCharacteristic(
      number: 0x2A70, key: "wind_speed", name: "Wind speed", format: .unsigned(bytes: 2), scale: 0.01,
      unit: "m/s", deviceClass: "wind_speed", decimals: 2),
    StandardCharacteristic(
      number: 0x2A71, key: "wind_direction", name: "Wind direction", format: .unsigned(bytes: 2),
      scale: 0.01, unit: "°", decimals: 2),
    StandardCharacteristic(
      number: 0x2A76, key: "uv_index", name: "UV index", format: .unsigned(bytes: 1), unit: "UV index"),
    StandardCharacteristic(
      number: 0x2A77, key: "irradiance", name: "Irradiance", format: .unsigned(bytes: 2), scale: 0.1,
      unit: "W/m²", deviceClass: "irradiance", decimals: 1),
    StandardCharacteristic(
      number: 0x2A78, key: "rainfall", name: "Rainfall", format: .unsigned(bytes: 2), unit: "mm",
      deviceClass: "precipitation"),
    StandardCharacteristic(
      number: 0x2AFB, key: "illuminance", name: "Illuminance", format: .unsigned(bytes: 3), scale: 0.01,
      unit: "lx", deviceClass: "illuminance", decimals: 2, unknown: 16_777_215),
    StandardCharacteristic(
      number: 0x2B8C, key: "carbon_dioxide", name: "Carbon dioxide", format: .unsigned(bytes: 2),
      unit: "ppm", deviceClass: "carbon_dioxide", unknown: 65535),
  ]
}

/// A service that Bluetooth has defined and that can be named in the configuration.
enum StandardService: String, Hashable, Sendable, CaseIterable {
  case battery
  case deviceInformation = "device_information"
  case environmentalSensing = "environmental_sensing"

  var uuid: BluetoothUUID {
    switch self {
    case .battery: BluetoothUUID(assigned: 0x180F)
    case .deviceInformation: BluetoothUUID(assigned: 0x180A)
    case .environmentalSensing: BluetoothUUID(assigned: 0x181A)
    }
  }

  /// What becomes entities; a board has some of them.
  var characteristics: [StandardCharacteristic] {
    switch self {
    case .battery: StandardCharacteristic.all.filter { $0.number == 0x2A19 }
    case .deviceInformation: []
    case .environmentalSensing: StandardCharacteristic.all.filter { $0.number != 0x2A19 }
    }
  }
}
