/// The integrations of Home Assistant that a property can become.
enum Platform: String, Hashable, Sendable {
  case binarySensor = "binary_sensor"
  case button, cover
  case deviceTracker = "device_tracker"
  case event, infrared, lock, number, select, sensor
  case `switch`
  case text
}
