import DeviceModel

extension ProfileCompiler {
  mutating func frame() -> FrameRule {
    guard let framing = options.object("framing") else {
      let isPacket = options.text("framing") == "packet"
      return FrameRule(cut: isPacket ? .packet : .ends([[0x0A]]))
    }
    var rule = FrameRule(cut: .packet)
    rule.maximum = framing.integer("maximum") ?? rule.maximum
    rule.patience = framing.duration("timeout") ?? rule.patience
    rule.isHexadecimal = framing.boolean("hex") ?? false
    rule.start = framing.wireBytes("start") ?? []
    rule.checksum = framing.object("checksum").flatMap { checksum($0) }
    rule.cut = cut(framing, rule)
    let takesStart =
      switch rule.cut {
      case .ends: !framing.isWritten("line")
      case .length, .prefix: true
      default: false
      }
    if !takesStart, framing.isWritten("start") {
      report(
        framing, "start", "'start' has no meaning here", expectation: "it with 'end', 'length' or 'prefix'")
    }
    return rule
  }

  private mutating func cut(_ framing: Options, _ rule: FrameRule) -> FrameRule.Cut {
    if framing.isWritten("line") {
      let ends = framing.words("line").map { Array($0.utf8) } + [framing.wireBytes("line")].compactMap(\.self)
      return .ends(ends.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }
    if framing.isWritten("end") {
      guard let end = framing.wireBytes("end"), !end.isEmpty, !rule.start.isEmpty else {
        report(
          framing, "end", "'end' without 'start'", expectation: "both, or 'line' for what only ends messages")
        return .packet
      }
      return .ends([end])
    }
    if let length = framing.integer("length") {
      if length <= rule.start.count || length > rule.maximum {
        report(
          framing, "length", "\(length) bytes",
          expectation: "more than the start has and at most 'maximum', which is \(rule.maximum)")
      }
      return .length(length)
    }
    if framing.isWritten("prefix"), let prefix = framing.object("prefix") {
      guard let format = prefix.text("type").flatMap({ NumberFormat($0) }) else { return .packet }
      return .prefix(offset: prefix.integer("at") ?? 0, format, added: prefix.integer("add") ?? 0)
    }
    if let tags = framing.table("tags") { return .tags(self.tags(tags, framing, rule)) }
    if let silence = framing.duration("silence") { return .silence(silence) }
    if framing.boolean("search") == true {
      if rule.maximum > 512 {
        report(
          framing, "maximum", "\(rule.maximum) bytes are too many for 'search'", expectation: "at most 512")
      }
      return .search(
        messages.compactMap { if case .pattern(let pattern) = $0.form { pattern } else { nil } })
    }
    return .packet
  }

  private mutating func tags(
    _ tags: [(word: String, text: String, location: SourceLocation)], _ framing: Options, _ rule: FrameRule
  ) -> [FrameRule.Tag] {
    var result: [FrameRule.Tag] = []
    for tag in tags {
      let text = Array(tag.word.utf8)
      let length = Int(tag.text) ?? 0
      if length < text.count || length > rule.maximum {
        problems.append(
          framing.problem(
            "\(length) bytes", at: "tags", entry: tag.word, location: tag.location,
            expectation:
              "at least the \(text.count) of the tag and at most 'maximum', which is \(rule.maximum)"))
      }
      result.append(.init(text: text, length: length))
    }
    return result.sorted { $0.text.count > $1.text.count }
  }

  mutating func checksum(_ options: Options) -> Checksum? {
    guard let method = options.text("method").flatMap(Checksum.Method.init) else { return nil }
    let isNMEA = method == .nmea
    let order = options.text("order") ?? (method == .crc16CCITT || method == .crc16XModem ? "big" : "little")
    return Checksum(
      method: method, from: options.integer("from") ?? (isNMEA ? 1 : 0),
      isHexadecimal: (options.text("form") ?? (isNMEA ? "hex" : "binary")) == "hex",
      isBigEndian: order == "big", separator: options.wireBytes("separator") ?? (isNMEA ? [0x2A] : []))
  }

  /// Framing by patterns needs patterns, over bytes.
  mutating func checkSearch(_ frame: FrameRule) {
    guard case .search = frame.cut, let framing = options.object("framing") else { return }
    for (name, options) in objects("messages") {
      guard case .pattern(let pattern)? = messages.first(where: { $0.name == name })?.form else {
        if options.isWritten("regex") { continue }
        report(
          framing, "search", "the message '\(name)' is no regular expression",
          expectation: "only those with 'search'")
        continue
      }
      if !pattern.text.utf8.allSatisfy({ $0 < 0x80 }) {
        report(
          options, "regex", "a character that is not ASCII",
          expectation: "ASCII with 'framing: { search: true }'")
      }
      for key in ["starts_with", "ends_with"] where options.isWritten(key) {
        report(options, key, "'\(key)' beside 'search'", expectation: "it within the regular expression")
      }
    }
    if messages.isEmpty {
      report(framing, "search", "there are no messages", expectation: "some with 'regex'")
    }
  }

  mutating func sending(_ frame: FrameRule) -> SendingRule {
    var rule = SendingRule()
    guard let sending = options.object("sending") else { return rule }
    rule.checksum = sending.object("checksum").flatMap { checksum($0) }
    rule.pause = sending.duration("pause") ?? .zero
    if let end = sending.wireBytes("end") {
      rule.end = end
    } else if case .ends(let ends) = frame.cut, frame.start.isEmpty {
      rule.end = ends.first ?? []
    }
    return rule
  }
}
