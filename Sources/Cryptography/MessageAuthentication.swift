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

  /// Compares without telling by its time how much is right.
  public static func isTag(_ tag: [UInt8], of message: [UInt8], key: [UInt8]) throws(CryptographyError)
    -> Bool
  {
    let right = try self.tag(of: message, key: key)
    return tag.count == right.count && CRYPTO_memcmp(tag, right, right.count) == 0
  }
}

/// Bytes that nobody can foretell, from libcrypto's generator.
public enum RandomBytes {
  public static func next(_ count: Int) throws(CryptographyError) -> [UInt8] {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    guard RAND_bytes(&bytes, Int32(clamping: count)) == 1 else { throw .failed("the random generator") }
    return bytes
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
