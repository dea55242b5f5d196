public struct OptionSchema: Sendable { public init(_ fields: [String]) {} }
public struct Options: Sendable {}
