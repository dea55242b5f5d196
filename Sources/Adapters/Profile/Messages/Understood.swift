import DeviceModel

/// What a message means.
struct Understood: Hashable, Sendable {
  /// Of the message's rule.
  var index: Int
  var reports: [(key: PropertyKey, value: Value)]
  /// All its values, for an event.
  var facts: Value.Members

  static func == (left: Understood, right: Understood) -> Bool {
    left.index == right.index && left.facts == right.facts
      && left.reports.elementsEqual(right.reports) { $0.key == $1.key && $0.value == $1.value }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(index) }
}

extension ProfilePlan {
  /// The first message of the profile that fits, with its values; throws why the likeliest of them does not.
  func understand(
    _ message: ArraySlice<UInt8>, wanted: [[String]]
  ) throws(MessageError) -> Understood {
    var reason: MessageError?
    var isOfValue = false
    for (index, rule) in messages.enumerated() {
      let fields: [String: Value]
      do throws(MessageError) {
        fields = try rule.values(of: message, wanted: wanted[index])
      } catch {
        if reason == nil { reason = error }
        continue
      }
      do throws(MessageError) {
        return Understood(
          index: index, reports: try reports(of: fields, index), facts: facts(of: fields, rule))
      } catch {
        // The form fits: this says more than that another form does not.
        if !isOfValue { reason = MessageError("\(rule.name): \(error)") }
        isOfValue = true
      }
    }
    throw reason ?? MessageError("none is declared")
  }

  private func reports(
    of fields: [String: Value], _ index: Int
  ) throws(MessageError) -> [(key: PropertyKey, value: Value)] {
    var reports: [(key: PropertyKey, value: Value)] = []
    for property in properties where property.message == nil || property.message == index {
      guard let name = property.field, let field = fields[name] else { continue }
      do throws(MessageError) {
        reports.append((property.key, try property.reading.value(of: field)))
      } catch {
        throw MessageError("\(property.key): \(error)")
      }
    }
    return reports
  }

  private func facts(of fields: [String: Value], _ rule: MessageRule) -> Value.Members {
    guard rule.event != nil else { return [:] }
    return .init(fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}
