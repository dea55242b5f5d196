import Adapters
import Configuration
import DeviceModel
import EventLoop

/// A board that is about to become a device: a link to it until it has said who it is.
@Loop final class Prospect {
  let place: BoardPlace
  private let mayAsk: Bool
  private let introduced: @Loop (BoardIntroduction.Card) -> Void
  private var runtime: LinkRuntime?
  private var introduction = BoardIntroduction()
  private var timer: LoopTimer?
  private var upAt = MonotonicTime.now

  /// For a board to say by itself who it is, before it is asked, and between two questions.
  private static let patience = Duration.seconds(3)
  private static let interval = Duration.seconds(16)
  /// A link on which nobody says hello for so long is opened anew.
  private static let silence = Duration.seconds(60)

  /// - Parameter mayAsk: The board's advertisement says that it speaks in lines; nothing is written to any other.
  init(
    _ place: BoardPlace, link: Configuration.Link, factory: LinkFactory, mayAsk: Bool,
    introduced: @escaping @Loop (BoardIntroduction.Card) -> Void
  ) {
    self.place = place
    self.mayAsk = mayAsk
    self.introduced = introduced
    runtime = LinkRuntime(link, factory: factory) { [weak self] _, event in self?.take(event) }
    runtime?.start()
  }

  func stop() {
    timer?.cancel()
    runtime?.stop()
    runtime = nil
  }

  private func take(_ event: LinkRuntime.Event) {
    switch event {
    case .up:
      introduction = BoardIntroduction()
      upAt = .now
      wait(Self.patience)
    case .received(let bytes):
      if let card = introduction.receive(bytes) { introduced(card) }
    case .down: timer?.cancel()
    default: break
    }
  }

  private func wait(_ time: Duration) {
    timer?.cancel()
    timer = LoopTimer(after: time) { [weak self] in self?.isSilent() }
  }

  private func isSilent() {
    guard upAt.duration(to: .now) < Self.silence else {
      runtime?.sessionFailed("nobody has said hello for \(Self.silence.configurationText)")
      return
    }
    if mayAsk { runtime?.send(Output.Send(BoardIntroduction.question)) }
    wait(Self.interval)
  }
}
