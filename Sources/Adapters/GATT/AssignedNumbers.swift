package import DeviceModel

/// Names that Bluetooth has given to numbers, for a person who looks at a board's services.
package enum AssignedNumbers {
  package static func name(of uuid: BluetoothUUID) -> String? {
    let short = uuid.short
    guard short.utf8.count == 4, let number = UInt16(short, radix: 16) else { return own[uuid] }
    return names[number]
  }

  private static let own: [BluetoothUUID: String] = [
    UARTService.nus.service: "Nordic UART",
    UARTService.nus.write: "Nordic UART, written",
    UARTService.nus.notify: "Nordic UART, notified",
  ]

  private static let names: [UInt16: String] = [
    0x1800: "Generic Access", 0x1801: "Generic Attribute", 0x1802: "Immediate Alert", 0x1803: "Link Loss",
    0x1804: "Tx Power", 0x1805: "Current Time", 0x1809: "Health Thermometer", 0x180A: "Device Information",
    0x180D: "Heart Rate", 0x180F: "Battery", 0x1810: "Blood Pressure", 0x1812: "Human Interface Device",
    0x1815: "Automation IO", 0x1816: "Cycling Speed and Cadence", 0x1818: "Cycling Power",
    0x1819: "Location and Navigation", 0x181A: "Environmental Sensing", 0x181B: "Body Composition",
    0x181C: "User Data", 0x181D: "Weight Scale", 0x1826: "Fitness Machine", 0xFE59: "Nordic DFU",
    0xFEAA: "Eddystone", 0xFFE0: "HM-10 UART", 0xFFE1: "HM-10 UART, both ways",
    0x2900: "Extended Properties", 0x2901: "User Description", 0x2902: "Client Configuration",
    0x2903: "Server Configuration", 0x2904: "Presentation Format", 0x2906: "Valid Range",
    0x290C: "ES Measurement", 0x290D: "ES Trigger", 0x290E: "ES Configuration",
    0x2A00: "Device Name", 0x2A01: "Appearance", 0x2A04: "Preferred Connection", 0x2A05: "Service Changed",
    0x2A06: "Alert Level", 0x2A07: "Tx Power Level", 0x2A19: "Battery Level",
    0x2A1C: "Temperature Measurement",
    0x2A23: "System ID", 0x2A24: "Model Number", 0x2A25: "Serial Number", 0x2A26: "Firmware Revision",
    0x2A27: "Hardware Revision", 0x2A28: "Software Revision", 0x2A29: "Manufacturer Name",
    0x2A2A: "Regulatory Data", 0x2A2B: "Current Time", 0x2A37: "Heart Rate Measurement",
    0x2A38: "Body Sensor Location", 0x2A50: "PnP ID", 0x2A56: "Digital", 0x2A58: "Analog",
    0x2A6C: "Elevation", 0x2A6D: "Pressure", 0x2A6E: "Temperature", 0x2A6F: "Humidity",
    0x2A70: "True Wind Speed", 0x2A71: "True Wind Direction", 0x2A76: "UV Index", 0x2A77: "Irradiance",
    0x2A78: "Rainfall", 0x2A79: "Wind Chill", 0x2A7A: "Heat Index", 0x2A7B: "Dew Point", 0x2A9D: "Weight",
    0x2AA6: "Central Address Resolution", 0x2AFB: "Illuminance", 0x2B29: "Client Features",
    0x2B2A: "Database Hash", 0x2B3A: "Server Features", 0x2B8C: "CO2 Concentration",
  ]
}
