public import DeviceModel

extension PetDoor {
  public static let kind = Kind(
    name: "pet_door",
    summary: "The lock of a pet door, which opens by light and temperature and can be kept locked.",
    options: OptionSchema([NewerForm.option]), links: [LinkRequirement(transports: [.ble, .tcp, .serial])]
  ) { options, _ in TwoForms(PetDoor(), .petDoor, choice: NewerForm.choice(in: options)) }
}
