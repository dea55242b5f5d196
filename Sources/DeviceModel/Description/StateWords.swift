extension Property {
  /// The value as it stands in the state: a boolean becomes the property's words, all else stays as it is.
  public func stateValue(of value: Value) -> Value {
    switch (kind, value) {
    case (.switch, .boolean(let isOn)), (.binarySensor, .boolean(let isOn)): isOn ? "ON" : "OFF"
    case (_, .number(let number)) where !number.isFinite: .unknown
    default: value
    }
  }
}
