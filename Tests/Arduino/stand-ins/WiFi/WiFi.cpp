#include "WiFi.h"

#include "WiFiUdp.h"

using namespace SimulatedNetwork;

namespace SimulatedNetwork {

uint8_t ask(char what, const uint8_t *arguments, uint8_t count) {
  GPIOR1 = 0; // forgets the arguments before
  while (count--) GPIOR0 = *arguments++;
  GPIOR1 = (uint8_t)what;
  return GPIOR1;
}

uint8_t nextByte() { return GPIOR0; }

} // namespace SimulatedNetwork

WiFiClass WiFi;

int WiFiClass::begin(char *, const char *) { return status(); }

uint8_t WiFiClass::status() { return ask('N') ? WL_CONNECTED : WL_NO_SHIELD; }

int WiFiClient::connect(IPAddress address, uint16_t port) {
  stop();
  const uint8_t arguments[] = {address[0], address[1], address[2], address[3], lowByte(port), highByte(port)};
  socket_ = ask('C', arguments, sizeof arguments);
  return socket_ != noSocket;
}

int WiFiClient::connect(const char *, uint16_t port) { return connect(IPAddress(127, 0, 0, 1), port); }

size_t WiFiClient::write(const uint8_t *bytes, size_t count) {
  size_t written = 0;
  while (socket_ != noSocket && written < count) {
    uint8_t arguments[33] = {socket_};
    const uint8_t length = (uint8_t)min(count - written, sizeof arguments - 1);
    memcpy(arguments + 1, bytes + written, length);
    const uint8_t taken = ask('W', arguments, (uint8_t)(length + 1));
    if (!taken) break;
    written += taken;
  }
  return written;
}

int WiFiClient::available() { return socket_ == noSocket ? 0 : ask('A', &socket_, 1); }

int WiFiClient::read() {
  uint8_t byte;
  return read(&byte, 1) == 1 ? byte : -1;
}

int WiFiClient::read(uint8_t *bytes, size_t count) {
  if (socket_ == noSocket) return -1;
  const uint8_t arguments[] = {socket_, (uint8_t)min(count, (size_t)255)};
  const uint8_t length = ask('R', arguments, sizeof arguments);
  for (uint8_t at = 0; at < length; at++) bytes[at] = nextByte();
  return length ? length : -1;
}

int WiFiClient::peek() {
  if (socket_ == noSocket || !ask('K', &socket_, 1)) return -1;
  return nextByte();
}

void WiFiClient::stop() {
  if (socket_ != noSocket) ask('S', &socket_, 1);
  socket_ = noSocket;
}

uint8_t WiFiClient::connected() { return socket_ != noSocket && ask('O', &socket_, 1); }

void WiFiServer::begin() {
  if (listener_ != noSocket) return;
  const uint8_t arguments[] = {lowByte(port_), highByte(port_)};
  listener_ = ask('L', arguments, sizeof arguments);
}

WiFiClient WiFiServer::available() {
  if (listener_ == noSocket) return WiFiClient();
  if (client_ == noSocket || !ask('O', &client_, 1)) client_ = ask('P', &listener_, 1);
  return WiFiClient(client_);
}

int WiFiUDP::endPacket() {
  isAnswered_ = ask('T') == sizeof seconds_;
  for (uint8_t at = 0; isAnswered_ && at < sizeof seconds_; at++) seconds_[at] = nextByte();
  return 1;
}

int WiFiUDP::parsePacket() {
  const bool isAnswered = isAnswered_;
  isAnswered_ = false;
  return isAnswered ? 48 : 0;
}

int WiFiUDP::read(uint8_t *packet, size_t count) {
  memset(packet, 0, count);
  packet[0] = 0x24; // version 4, server
  packet[1] = 2;
  memcpy(packet + 40, seconds_, sizeof seconds_);
  return (int)count;
}
