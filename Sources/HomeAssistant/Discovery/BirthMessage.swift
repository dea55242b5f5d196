/// What Home Assistant says of itself.
///
/// Some seconds after its start, and whenever its connection to the broker is back, it publishes ``online``, not
/// retained. Discovery, availability and state are published again then, after a small random delay.
public enum BirthMessage {
  /// Home Assistant's default; it does not follow the discovery prefix.
  public static let topic = "homeassistant/status"
  public static let online = "online"
  /// Its will, and what it says when it stops.
  public static let offline = "offline"
}
