import DeviceModel

/// The device classes of Home Assistant 2026.11, and what each asks of a unit and a state class.
enum DeviceClasses {
  struct Rule: Sendable {
    /// nil: any unit or none. Among the units nil stands for none.
    var units: [String?]?
    var stateClasses: Set<PropertyKind.Measurement.StateClass>
    /// Units that came after Home Assistant 2024.3; all of them when the class did.
    var laterUnits: Set<String?>
  }

  /// `enum` is a kind of its own.
  static let ofSensors: [String: Rule] = Dictionary(uniqueKeysWithValues: table.map(rule))
  /// All that measure something.
  static let ofNumbers: [String: Rule] = ofSensors.filter { !ofTime.contains($0.key) }
  /// Their sensors show no number.
  static let ofTime: Set<String> = ["date", "timestamp", "uptime"]

  static let ofBinarySensors = [
    "battery", "battery_charging", "carbon_monoxide", "cold", "connectivity", "door", "garage_door", "gas",
    "glass_break", "heat", "light", "lock", "moisture", "motion", "moving", "occupancy", "opening", "plug",
    "power", "presence", "problem", "running", "safety", "smoke", "sound", "tamper", "update", "vibration",
    "window",
  ]
  static let ofSwitches = ["outlet", "switch"]
  static let ofButtons = ["identify", "restart", "update"]
  static let ofEvents = ["button", "doorbell", "motion"]
  static let ofCovers = [
    "awning", "blind", "curtain", "damper", "door", "garage", "gate", "shade", "shutter", "window",
  ]
  static let sourceTypes = ["gps", "router", "bluetooth", "bluetooth_le"]

  /// Home Assistant 2024.3 takes the class with this unit.
  static func isOld(_ name: String, unit: String?) -> Bool {
    guard let rule = ofSensors[name] else { return false }
    return !rule.laterUnits.contains(unit.map(MeasurementUnit.published))
  }

  /// Binary sensors' classes that came after Home Assistant 2024.3.
  static let laterOfBinarySensors: Set<String> = ["glass_break"]

  private static func rule(_ line: String) -> (String, Rule) {
    let fields = line.split(separator: "|").map { $0.split(separator: ",").map { Word($0) } }
    let isAny = fields[1].map(\.text) == ["*"]
    let units = fields[1].map { $0.text == "-" ? nil : $0.text }
    let later = zip(fields[1], units).filter { fields[0][0].isLater || $0.0.isLater }.map(\.1)
    let stateClasses = fields[2].compactMap { word -> PropertyKind.Measurement.StateClass? in
      switch word.text {
      case "m": .measurement
      case "t": .total
      case "i": .totalIncreasing
      default: nil
      }
    }
    return (
      fields[0][0].text,
      Rule(units: isAny ? nil : units, stateClasses: Set(stateClasses), laterUnits: Set(later))
    )
  }

  /// A word of the table; `+` before it means that it came after 2024.3.
  private struct Word {
    var text: String
    var isLater: Bool

    init(_ text: Substring) {
      var text = text.drop { $0 == " " }
      while text.last == " " { text.removeLast() }
      isLater = text.first == "+"
      self.text = String(isLater ? text.dropFirst() : text)
    }
  }

  // Class | units (- none, * any) | state classes (m measurement, t total, i total_increasing, - none).
  // wind_direction has a state class of its own, which the vocabulary does not have.
  private static let table = [
    "+absolute_humidity | g/m³, mg/m³ | m",
    "apparent_power | VA, +kVA, +mVA | m",
    "aqi | - | m",
    "+area | m², cm², km², mm², ha, ac, ft², in², mi², yd² | m, t, i",
    "atmospheric_pressure | hPa, Pa, kPa, +mPa, bar, mbar, cbar, mmHg, inHg, +inH₂O, psi, +atm | m",
    "battery | % | m",
    "+blood_glucose_concentration | mg/dL, mmol/L | m",
    "carbon_dioxide | ppm | m",
    "carbon_monoxide | ppm, +ppb, +mg/m³, +µg/m³ | m",
    "+conductivity | S/cm, mS/cm, µS/cm | m",
    "current | A, mA, +μA | m",
    "data_rate | bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, GB/s, KiB/s, MiB/s, GiB/s | m",
    "data_size | bit, kbit, Mbit, Gbit, B, kB, MB, GB, TB, PB, EB, ZB, YB, KiB, MiB, GiB, TiB, PiB, EiB, ZiB, YiB"
      + " | m, t, i",
    "date | - | -",
    "distance | m, cm, mm, km, in, ft, yd, mi, +nmi | m, t, i",
    "duration | s, ms, +µs, min, h, d | m, t, i",
    "energy | kWh, Wh, +mWh, MWh, +GWh, +TWh, +J, +kJ, MJ, GJ, +cal, +kcal, +Mcal, +Gcal, +thm | t, i",
    "+energy_distance | kWh/100km, Wh/km, km/kWh, mi/kWh | m",
    "energy_storage | kWh, Wh, +mWh, MWh, +GWh, +TWh, +J, +kJ, MJ, GJ, +cal, +kcal, +Mcal, +Gcal, +thm | m",
    "frequency | Hz, +mHz, kHz, MHz, GHz | m",
    "gas | m³, +L, ft³, CCF, +MCF | t, i",
    "humidity | % | m",
    "illuminance | lx | m",
    "irradiance | W/m², BTU/(h⋅ft²) | m",
    "moisture | % | m",
    "monetary | * | t",
    "nitrogen_dioxide | +ppb, +ppm, µg/m³ | m",
    "nitrogen_monoxide | +ppb, µg/m³ | m",
    "nitrous_oxide | µg/m³ | m",
    "ozone | +ppb, +ppm, µg/m³ | m",
    "ph | - | m",
    "pm1 | µg/m³ | m",
    "pm10 | µg/m³ | m",
    "pm25 | µg/m³ | m",
    "+pm4 | µg/m³ | m",
    "power | W, +mW, kW, +MW, +GW, +TW | m",
    "power_factor | %, - | m",
    "precipitation | mm, cm, in | m, t, i",
    "precipitation_intensity | mm/h, mm/d, in/h, in/d | m",
    "pressure | hPa, Pa, kPa, +mPa, bar, mbar, cbar, mmHg, inHg, +inH₂O, psi, +atm | m",
    "+radon | Bq/m³, pCi/L | m",
    "+reactive_energy | varh, kvarh | t, i",
    "reactive_power | var, +mvar, +kvar | m",
    "signal_strength | dB, dBm | m",
    "sound_pressure | dB, dBA | m",
    "speed | m/s, +mm/s, +m/min, km/h, ft/s, +in/s, mph, kn, +Beaufort, mm/h, mm/d, in/h, in/d | m",
    "sulphur_dioxide | +ppb, µg/m³ | m",
    "temperature | °C, °F, K | m",
    "+temperature_delta | °C, °F, K | m",
    "timestamp | - | -",
    "+uptime | - | -",
    "volatile_organic_compounds | µg/m³, +mg/m³ | m",
    "volatile_organic_compounds_parts | ppb, ppm | m",
    "voltage | V, mV, +µV, +kV, +MV | m",
    "volume | L, mL, m³, gal, fl. oz., ft³, CCF, +MCF | t, i",
    "volume_flow_rate | m³/h, +m³/min, +m³/s, +L/h, L/min, +L/s, +mL/s, ft³/min, gal/min, +gal/h, +gal/d | m",
    "volume_storage | L, mL, m³, gal, fl. oz., ft³, CCF, +MCF | m",
    "water | L, m³, gal, ft³, CCF, +MCF | t, i",
    "weight | kg, g, mg, µg, lb, oz, st | m, t, i",
    "+wind_direction | ° | -",
    "wind_speed | m/s, +mm/s, +m/min, km/h, ft/s, +in/s, mph, kn, +Beaufort | m",
  ]
}
