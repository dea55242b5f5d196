import Testing

/// All that needs a bus of its own: one after the other, so that descriptors can be counted.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct BlueZTests {}
