// HomeAssistant
