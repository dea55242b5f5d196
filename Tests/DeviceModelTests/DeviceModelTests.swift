// DeviceModel
