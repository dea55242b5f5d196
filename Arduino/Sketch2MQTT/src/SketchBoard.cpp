#include "SketchBoard.h"

#include "SketchChecksum.h"
#include "SketchDigits.h"

static const uint8_t bytesPerLoop = 32;
static const uint16_t tickLength = 250; // milliseconds
static const uint8_t ticksPerSecond = 4;
static const uint8_t ticksOfLineSilence = 8; // two seconds
static const uint8_t shortestWait = 4; // a second
static const uint8_t longestWait = 64; // sixteen seconds

SketchBoard *SketchBoard::only_;

SketchBoard::SketchBoard(const char *description, char *incoming, uint8_t size, uint8_t patience)
    : description_(description), incoming_(incoming), reader_(incoming, size), pace_(20),
      ticksOfBridgeSilence_((uint8_t)(patience * ticksPerSecond)) {
  only_ = this;
}

void SketchBoard::begin(Stream &link) {
  link_ = &link;
  count_ = 0;
  for (SketchEntity *each = SketchEntity::first_; each && count_ < mostEntities; each = each->next_) count_++;
  computeToken();
  linkUp();
}

void SketchBoard::linkUp() {
  isUp_ = true;
  reader_.reset();
  isSending_ = false;
  packetLength_ = packetSent_ = describeEnd_ = owed_ = 0;
  sequence_ = 0;
  wantsOther_ = false;
  stopListening(0);
}

void SketchBoard::stopListening(uint8_t ticksToHello) {
  isHeard_ = false;
  for (SketchEntity *each = SketchEntity::first_; each; each = each->next_) {
    if (each->kind() == 'e') each->forgetEvents();
  }
  helloWait_ = shortestWait;
  ticksToHello_ = ticksToHello;
}

void SketchBoard::loop() {
  if (!link_ || !isUp_) return;
  receive();
  keepTime();
  transmit();
}

void SketchBoard::keepTime() {
  const uint16_t now = (uint16_t)millis();
  if ((uint16_t)(now - tickAt_) >= tickLength) {
    tickAt_ = now;
    tick();
  }
  if (ticksToHello_ || isHeard_ || isQuiet_) return;
  owed_ |= Hello;
  ticksToHello_ = helloWait_;
  if (helloWait_ < longestWait) helloWait_ *= 2;
}

void SketchBoard::tick() {
  for (SketchEntity *each = SketchEntity::first_; each; each = each->next_) {
    each->flags_ &= (uint8_t)~SketchEntity::Held;
  }
  if (ticksToHello_) ticksToHello_--;
  if (silentTicks_ < 255) silentTicks_++;
  if (silentTicks_ >= ticksOfLineSilence) reader_.reset();
  if (isHeard_ && silentTicks_ >= ticksOfBridgeSilence_) stopListening(0);
}

// MARK: Identity

SketchEntity *SketchBoard::entity(uint8_t index) {
  SketchEntity *each = SketchEntity::first_;
  while (each && index--) each = each->next_;
  return each;
}

void SketchBoard::computeToken() {
  uint32_t sum = SketchChecksum::tokenStart;
  composeHello(false);
  for (uint8_t index = 0;; index++) {
    uint8_t byte;
    while ((byte = nextOfBody()) != 0) sum = SketchChecksum::token(sum, byte);
    if (index == count_) break;
    composeDescription(index);
  }
  isSending_ = false;
  token_ = ~sum;
}

void SketchBoard::keepIdentity(const char *digits) {
  const uint32_t identity = keep_ ? keep_(digits) : 0;
  if (!identity) return;
  identity_ = identity;
  computeToken();
  stopListening(shortestWait);
}

// MARK: Receiving

void SketchBoard::receive() {
  // An answer that waits to be sent holds back the next line.
  for (uint8_t budget = bytesPerLoop; budget && !sequence_; budget--) {
    const int next = link_->read();
    if (next < 0) return;
    const uint8_t byte = (uint8_t)next;
    if (wantsOther_ || (byte != '~' && reader_.isBetweenLines())) {
      wantsOther_ = !isHeard_ && other_ && other_(byte);
      continue;
    }
    silentTicks_ = 0;
    const uint8_t result = reader_.take(byte);
    if (result == SketchLineReader::Line) obeyLine();
    else if (result > SketchLineReader::Line) dropped_++;
  }
}

void SketchBoard::obeyLine() {
  char *rest = incoming_ + 1;
  uint8_t owes = 0;
  switch (*incoming_) {
    case 'D': describe(rest); return;
    case 'G': listen(rest); return;
    case 'C': obeyCommand(rest); return;
    case 'B': stopListening(longestWait); return;
    case 'P': owes = Pong; break;
    case 'R':
      sendAll();
      owes = LastPong;
      break;
    case 'I': keepIdentity(rest); // falls through
    case 'W': owed_ |= Hello; return;
    default: return; // a newer bridge's
  }
  owed_ |= isHeard_ ? owes : (uint8_t)Hello;
}

void SketchBoard::describe(const char *which) {
  describeFrom_ = 0;
  describeEnd_ = count_;
  if (!*which) return;
  SketchDigits::readSmall(which, describeFrom_);
  if (describeFrom_ < describeEnd_) describeEnd_ = (uint8_t)(describeFrom_ + 1);
}

void SketchBoard::listen(const char *token) {
  uint32_t digits = token_;
  for (uint8_t left = 8; left; left--, digits <<= 4) {
    if (*token++ == SketchDigits::hexDigit((uint8_t)(digits >> 28))) continue;
    owed_ |= Hello;
    return;
  }
  isHeard_ = true;
  lastSequence_ = 0;
  dropped_ = lostEvents_ = 0;
  sendAll();
  owed_ |= Greeting | LastPong;
}

void SketchBoard::sendAll() {
  for (SketchEntity *each = SketchEntity::first_; each; each = each->next_) {
    const char kind = each->kind();
    each->flags_ &= (uint8_t)~SketchEntity::Held;
    if (kind != 'p' && kind != 'e') each->flags_ |= SketchEntity::Unsent | SketchEntity::Whole;
  }
}

void SketchBoard::obeyCommand(char *value) {
  const char sequence = *value++;
  if ((uint8_t)(sequence - '0') > 9 && (uint8_t)(sequence - 'a') > 25) return;
  sequence_ = sequence;
  // Said again because the answer was lost: it was obeyed already.
  if (isHeard_ && sequence == lastSequence_) return;
  words_ = nullptr;
  if (!isHeard_) {
    answer_ = 's';
    owed_ |= Hello;
    return;
  }
  lastSequence_ = sequence;
  uint8_t index;
  value = const_cast<char *>(SketchDigits::readSmall(value, index));
  if (!value || *value != '=') {
    answer_ = 'i';
    return;
  }
  answer_ = NotNow;
  const char answer = index < count_ ? entity(index)->obey(value + 1) : 'k';
  if (answer == 'n') return; // the reason is what the handler gave to refuse()
  answer_ = answer;
  words_ = nullptr;
}

// MARK: Sending

void SketchBoard::breakOffLine(const SketchEntity *entity) {
  if (only_ && only_->sending_ == entity) only_->isSending_ = false;
}

void SketchBoard::transmit() {
  if (packetSent_ == packetLength_) {
    const uint16_t now = (uint16_t)millis();
    if ((uint16_t)(now - packetAt_) < pace_) return;
    uint8_t length = 0;
    while (length < packetSize && (isSending_ || compose())) packet_[length++] = nextByte();
    packetSent_ = 0;
    packetLength_ = length;
    if (!length) return;
    packetAt_ = now;
  }
  packetSent_ += (uint8_t)link_->write(packet_ + packetSent_, (uint8_t)(packetLength_ - packetSent_));
}

uint8_t SketchBoard::nextByte() {
  uint8_t byte = nextOfBody();
  if (!byte) {
    uint16_t sum = checksum_;
    clearHead();
    tail_ = nullptr;
    for (uint8_t digit = 4; digit; digit--, sum = (uint16_t)(sum << 4)) putHexDigit((uint8_t)(sum >> 12));
    put('\n');
    byte = nextOfBody();
  }
  if (byte != '~') checksum_ = SketchChecksum::line(checksum_, byte);
  if (byte == '\n') {
    isSending_ = false;
    sent_++;
  }
  return byte;
}

uint8_t SketchBoard::nextOfBody() {
  for (;;) {
    if (position_ < headLength_) return (uint8_t)head_[position_++];
    if (!tail_) return 0;
    const uint8_t byte = isTailInFlash_ ? pgm_read_byte(tail_) : (uint8_t)*tail_;
    if (!byte) return 0;
    tail_++;
    if (byte >= 0x20 && byte != '~' && byte != '\\' && byte != 0x7F) return byte;
    clearHead();
    put('\\');
    putHexDigit(byte >> 4);
    putHexDigit(byte & 15);
  }
}

void SketchBoard::clearHead() { headLength_ = position_ = 0; }

void SketchBoard::begin(char type) {
  clearHead();
  put('~');
  put(type);
  tail_ = nullptr;
  isTailInFlash_ = true;
  sending_ = nullptr;
  checksum_ = SketchChecksum::lineStart;
  isSending_ = true;
}

void SketchBoard::putHexDigit(uint8_t value) { put(SketchDigits::hexDigit(value)); }

void SketchBoard::put(char byte) { head_[headLength_++] = byte; }

void SketchBoard::putNumber(uint16_t number) {
  headLength_ = (uint8_t)(SketchDigits::write(head_ + headLength_, number) - head_);
}

void SketchBoard::putHex(uint32_t number) {
  for (uint8_t digit = 8; digit; digit--, number <<= 4) putHexDigit((uint8_t)(number >> 28));
}

bool SketchBoard::compose() {
  const uint8_t owed = owed_;
  if (sequence_) {
    composeAnswer();
  } else if (owed & Hello) {
    owed_ = owed & (uint8_t)~Hello;
    composeHello(true);
  } else if (isHeard_ && (owed & Greeting)) {
    owed_ = owed & (uint8_t)~Greeting;
    sent_ = 0xFFFF; // counts what comes after this line
    begin('g');
    putHex(token_);
  } else if (isHeard_ && (owed & Pong)) {
    owed_ = owed & (uint8_t)~Pong;
    composePong();
  } else if (isHeard_ && composeValue()) {
  } else if (isHeard_ && (owed & LastPong)) {
    owed_ = owed & (uint8_t)~LastPong;
    composePong();
  } else if (describeFrom_ < describeEnd_) {
    composeDescription(describeFrom_++);
  } else {
    return false;
  }
  return true;
}

void SketchBoard::composeAnswer() {
  begin('a');
  put(sequence_);
  sequence_ = 0;
  if (answer_ != '+') put('-');
  put(answer_);
  if (!words_) return;
  put('|');
  tail_ = words_;
}

void SketchBoard::composeHello(bool withToken) {
  begin('h');
  put('1');
  put('|');
  if (withToken) {
    putHex(token_);
    put('|');
  }
  if (identity_) putHex(identity_);
  if (keep_) put('+');
  put('|');
  putNumber(reader_.size());
  put('|');
  putNumber(count_);
  put('|');
  tail_ = description_;
}

void SketchBoard::composeDescription(uint8_t index) {
  begin('d');
  putNumber(index);
  put('|');
  tail_ = entity(index)->description_;
}

void SketchBoard::composePong() {
  begin('p');
  putNumber(sent_);
  put('|');
  putNumber(dropped_);
  put('|');
  putNumber(lostEvents_);
}

bool SketchBoard::composeValue() {
  // In turn, so that one that always changes does not keep the others waiting.
  for (uint8_t left = count_; left; left--) {
    SketchEntity *each = turn_;
    if (!each || ++turnIndex_ == count_) {
      turnIndex_ = 0;
      each = SketchEntity::first_;
    } else {
      each = each->next_;
    }
    turn_ = each;
    if ((each->flags_ & (SketchEntity::Unsent | SketchEntity::Held)) != SketchEntity::Unsent) continue;
    each->flags_ &= (uint8_t)~SketchEntity::Unsent;
    const char kind = each->kind();
    begin(kind == 'e' ? 'e' : 'v');
    putNumber(turnIndex_);
    put('=');
    if (kind == 'e') {
      putNumber(each->takeEvent());
      return true;
    }
    if (kind == 's' || kind == 't') each->flags_ |= SketchEntity::Held;
    headLength_ = (uint8_t)(each->writeValue(head_ + headLength_) - head_);
    const char last = head_[headLength_ - 1];
    if (last == '"' || last == ':') {
      sending_ = each;
      isTailInFlash_ = false;
      tail_ = each->text_;
    }
    return true;
  }
  return false;
}
