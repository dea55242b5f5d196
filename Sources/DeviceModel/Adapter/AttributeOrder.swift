/// One value of a board with GATT services, by what it is called there.
public struct AttributeID: Hashable, Sendable, CustomStringConvertible {
  /// Nil for the first of the board's services that has the characteristic.
  public var service: BluetoothUUID?
  public var characteristic: BluetoothUUID

  public init(_ characteristic: BluetoothUUID, of service: BluetoothUUID? = nil) {
    self.service = service
    self.characteristic = characteristic
  }

  public var description: String {
    (service.map { $0.short + "/" } ?? "") + characteristic.short
  }
}

/// What an adapter asks of a board's attributes. A link to attributes carries it as the bytes of one send.
///
/// That it goes as bytes keeps adapters as they are, with sessions, policies, recordings and all: to them it is a link
/// on which packets come and go. ``AttributeNews`` comes back.
public enum AttributeOrder: Hashable, Sendable {
  case read(AttributeID)
  /// `number` comes back in ``AttributeNews/written(number:)`` or with the refusal. With a response where the board
  /// offers one.
  case write(AttributeID, [UInt8], number: UInt32)
  case subscribe(AttributeID)
  /// The board's services are not those expected: they are to be asked for anew, not taken from BlueZ' memory.
  case forgetServices

  /// The longest value of an attribute, in bytes.
  public static let longestValue = 512
  /// The longest order, in bytes.
  public static let longest = longestValue + 1 + AttributeID.size + 4
}

/// What a link to attributes tells, as the bytes of one ``Input/received(_:_:)``.
public enum AttributeNews: Hashable, Sendable {
  /// Read, or notified.
  case value(AttributeID, [UInt8])
  case subscribed(AttributeID)
  case written(number: UInt32)
  /// The board has no such characteristic.
  case missing(AttributeID, Operation)
  /// The board does not offer it, or said no.
  case refused(AttributeID, Operation, String)

  /// Which order is answered.
  public enum Operation: Hashable, Sendable {
    case read, subscribe
    case write(number: UInt32)
  }
}

/// Why bytes are no order and no news.
public enum AttributeFrameError: Error, Hashable, Sendable, CustomStringConvertible {
  case empty
  case unknownKind(UInt8)
  case truncated(needed: Int, got: Int)
  case tooLong(Int)
  case trailing(Int)
  case notText
  case unknownOperation(UInt8)

  public var description: String {
    switch self {
    case .empty: "no bytes"
    case .unknownKind(let byte): "it begins with \(byte)"
    case .truncated(let needed, let got): "\(got) bytes, and \(needed) are needed"
    case .tooLong(let bytes):
      "a value of \(bytes) bytes; an attribute has \(AttributeOrder.longestValue) at most"
    case .trailing(let bytes): "\(bytes) bytes too many"
    case .notText: "the reason is not UTF-8"
    case .unknownOperation(let byte): "the operation is \(byte)"
    }
  }
}
