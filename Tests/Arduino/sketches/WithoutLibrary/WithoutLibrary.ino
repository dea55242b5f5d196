// The example Greenhouse without the library: what it does at its pins, with plain variables for the
// entities. What the library costs is the difference.
float temperature, target = 20;
bool window, pump, rang, rings;

void setup() {
  pinMode(LED_BUILTIN, OUTPUT);
  pinMode(2, INPUT_PULLUP);
  pinMode(3, INPUT_PULLUP);
  Serial.begin(115200);
}

void loop() {
  temperature = analogRead(A0) * 0.1f;
  window = digitalRead(2) == HIGH;
  rings = digitalRead(3) == LOW;
  if (rings && !rang) pump = !pump;
  rang = rings;
  digitalWrite(LED_BUILTIN, pump && !window && temperature < target);
}
