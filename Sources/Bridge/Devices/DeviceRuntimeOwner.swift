import DeviceModel
import EventLoop
import Links

/// What a device tells the bridge that runs it.
@Loop protocol DeviceRuntimeOwner: AnyObject {
  func availabilityChanged(_ device: DeviceRuntime)
  func descriptionChanged(_ device: DeviceRuntime)
  func linkFailed(_ device: DeviceRuntime, _ link: LinkRuntime, _ failure: LinkFailure)
  func commandFailed(_ device: DeviceRuntime, _ property: PropertyKey?, _ rejection: Rejection)
  /// Keeps `value` for the adapter's next life.
  func remember(_ value: Value, for device: DeviceRuntime)
  /// The adapter's answer to the request of this number.
  func answered(_ device: DeviceRuntime, _ number: UInt64, _ result: Result<Value, Rejection>)
}
