import DeviceModel

extension Output.Send {
  /// It is wanted now or not at all: better not sent, and said so, than perhaps not heard.
  var expires: Bool {
    if case .expires = policy { true } else { false }
  }
}
