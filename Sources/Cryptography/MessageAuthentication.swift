import CCrypto

/// HMAC-SHA-256 (RFC 2104 with FIPS 180-4) by libcrypto: proves that a message comes from one who has the key.
public enum MessageAuthentication {
  /// Of a tag, in bytes.
  public static let tagLength = 32

  /// - Parameter key: Of any length; 32 bytes are right.
  /// - Throws: when libcrypto cannot, for want of memory.
  public static func tag(of message: [UInt8], key: [UInt8]) throws(CryptographyError) -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: tagLength)
    var count: UInt32 = 0
    let result = HMAC(EVP_sha256(), key, Int32(clamping: key.count), message, message.count, &tag, &count)
    guard result != nil, count == UInt32(tagLength) else { throw .failed("HMAC-SHA-256") }
    return tag
  }
}

/// Something that libcrypto did not do.
public enum CryptographyError: Error, Hashable, Sendable, CustomStringConvertible {
  case failed(String)

  public var description: String {
    switch self {
    case .failed(let what): "libcrypto: \(what) failed"
    }
  }
}
