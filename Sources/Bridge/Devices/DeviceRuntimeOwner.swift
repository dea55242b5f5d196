import DeviceModel
import EventLoop
import Links

/// What runs a device.
@Loop protocol DeviceRuntimeOwner: AnyObject {
  func device(_ device: DeviceRuntime, _ news: DeviceRuntime.News)
}

extension DeviceRuntime {
  /// What a device tells its owner.
  enum News {
    case availabilityChanged
    case descriptionChanged
    case linkFailed(LinkRuntime, LinkFailure)
    case commandFailed(PropertyKey?, Rejection)
    /// To be kept for the adapter's next life.
    case remember(Value)
    /// To be called once when all that was to be remembered until now is on the disk, or the disk has refused it.
    case whenKept(@Loop () -> Void)
    /// The adapter's answer to the request of this number.
    case answered(UInt64, Result<Value, Rejection>)
  }
}
