import CMosquitto
import Glibc

/// A list of MQTT 5 properties in the library's form. Whoever fills one frees it.
struct PropertyList {
  private(set) var head: OpaquePointer?

  init() {}

  /// `nil` when there is nothing to say.
  init?(_ properties: MessageProperties?) {
    guard let properties, !properties.isEmpty else { return nil }
    if let topic = properties.responseTopic {
      mosquitto_property_add_string(&head, MQTT_PROP_RESPONSE_TOPIC.code, topic)
    }
    if let data = properties.correlationData {
      mosquitto_property_add_binary(
        &head, MQTT_PROP_CORRELATION_DATA.code, data, UInt16(clamping: data.count))
    }
    if let seconds = properties.expirySeconds { add(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL, seconds) }
    if let type = properties.contentType {
      mosquitto_property_add_string(&head, MQTT_PROP_CONTENT_TYPE.code, type)
    }
  }

  mutating func add(_ property: mqtt5_property, _ value: UInt32) {
    mosquitto_property_add_int32(&head, property.code, value)
  }

  /// For a subscription; `nil` when it has no number.
  init?(number: UInt32?) {
    guard let number else { return nil }
    mosquitto_property_add_varint(&head, MQTT_PROP_SUBSCRIPTION_IDENTIFIER.code, number)
  }

  /// The numbers of the subscriptions that a message came by.
  static func subscriptions(in list: OpaquePointer) -> [UInt32] {
    var numbers: [UInt32] = []
    var number: UInt32 = 0
    var rest: OpaquePointer? = list
    var isNext = false
    while rest != nil {
      rest = mosquitto_property_read_varint(rest, MQTT_PROP_SUBSCRIPTION_IDENTIFIER.code, &number, isNext)
      if rest != nil { numbers.append(number) }
      isNext = true
    }
    return numbers
  }

  mutating func free() {
    mosquitto_property_free_all(&head)
  }
}

extension MessageProperties {
  /// Copies what is of interest out of a list that belongs to the library.
  init(_ list: OpaquePointer) {
    self.init()
    var text: UnsafeMutablePointer<CChar>?
    if mosquitto_property_read_string(list, MQTT_PROP_RESPONSE_TOPIC.code, &text, false) != nil, let text {
      responseTopic = String(cString: text)
      free(text)
    }
    if mosquitto_property_read_string(list, MQTT_PROP_CONTENT_TYPE.code, &text, false) != nil, let text {
      contentType = String(cString: text)
      free(text)
    }
    var data: UnsafeMutableRawPointer?
    var length: UInt16 = 0
    if mosquitto_property_read_binary(list, MQTT_PROP_CORRELATION_DATA.code, &data, &length, false) != nil {
      correlationData = Array(UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : Int(length)))
      free(data)
    }
    var seconds: UInt32 = 0
    if mosquitto_property_read_int32(list, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.code, &seconds, false) != nil {
      expirySeconds = seconds
    }
  }
}

extension mqtt5_property {
  var code: Int32 { Int32(rawValue) }
}
