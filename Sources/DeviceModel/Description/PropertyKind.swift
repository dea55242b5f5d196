/// What a property is, in Home Assistant's terms, with what is particular to each.
public indirect enum PropertyKind: Hashable, Sendable {
  /// A number or a text that is only read.
  case sensor(Measurement = Measurement())
  /// One of a fixed list of words.
  case enumeration([String])
  /// A ``Value/text(_:)`` in ISO 8601 with zone.
  case timestamp
  /// A ``Value/boolean(_:)``; true is the state that the class names as ON.
  case binarySensor(deviceClass: String? = nil)
  case `switch`(deviceClass: String? = nil)
  case number(NumberRange, Measurement = Measurement())
  case select([String])
  /// Takes `PRESS`; has no state.
  case button(deviceClass: String? = nil)
  case text(maximumLength: Int = 255, pattern: String? = nil)
  /// States LOCKED, LOCKING, UNLOCKED, UNLOCKING, JAMMED; takes LOCK and UNLOCK.
  case lock
  /// States open, opening, closed, closing, stopped; takes OPEN and what else it can.
  case cover(deviceClass: String? = nil, canClose: Bool, canStop: Bool)
  /// States home and not_home; `sourceType` gps, router, bluetooth or bluetooth_le. The value of a gps tracker is an
  /// object instead: latitude, longitude and, when known, gps_accuracy in metres.
  case deviceTracker(sourceType: String)
  /// Fires one of its types: an event of the device whose fact ``DeviceDescription/eventSource`` is this property's
  /// key. Has no state and takes no command.
  case event([String], deviceClass: String? = nil)
  /// Sends an infra-red code, `{"timings":[9000,-4500,…],"modulation":38000,"repeat_count":0}`: microseconds of light,
  /// of darkness when negative. Has no state.
  case infraredEmitter
  /// Tells each infra-red code that was seen on the topic of its key, as ``infraredEmitter`` takes it. Has no state.
  case infraredReceiver
  /// A list or an object, on topics only.
  case structured
  /// Takes commands on its topic and has neither state nor entity.
  case command

  /// What makes a number a measurement.
  public struct Measurement: Hashable, Sendable {
    /// As Home Assistant writes it: `°C`, `%`, `m/s²`.
    public var unit: String?
    public var deviceClass: String?
    public var stateClass: StateClass?
    /// Decimals to show.
    public var precision: Int?

    public init(
      unit: String? = nil, deviceClass: String? = nil, stateClass: StateClass? = nil, precision: Int? = nil
    ) {
      self.unit = unit
      self.deviceClass = deviceClass
      self.stateClass = stateClass
      self.precision = precision
    }

    public enum StateClass: String, Hashable, Sendable {
      case measurement, total
      case totalIncreasing = "total_increasing"
    }
  }

  /// What a number may be set to.
  public struct NumberRange: Hashable, Sendable {
    public var minimum: Double
    public var maximum: Double
    /// The distance of allowed values from the minimum, 0.001 at least.
    public var step: Double

    public init(_ bounds: ClosedRange<Double>, step: Double = 1) {
      minimum = bounds.lowerBound
      maximum = bounds.upperBound
      self.step = step
    }
  }
}
