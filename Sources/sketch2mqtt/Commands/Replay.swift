import Adapters
import Bridge
import Configuration
import DeviceModel
import JSON

/// `replay`: what the adapter of a captured device makes of what was captured.
enum Replay {
  /// Of a file, bytes; a night of a talkative board.
  static let largestFile = 256 << 20

  static func perform(file: String) -> ExitStatus {
    do throws(ReplayFailure) {
      let capture = try Capture(file: file)
      var replay = CaptureReplay(try capture.adapter(), start: capture.header.start)
      let header = capture.header
      StandardStream.output.write(
        "\(header.device), \(header.kind), captured \(header.start.iso8601) by \(header.version)\n")
      for record in capture.records {
        StandardStream.output.write(replay.take(record).map { "\($0.line)\n" }.joined())
      }
      return .success
    } catch {
      return ExitStatus.failure.because("\(file): \(error)")
    }
  }

  /// A file of captured lines, read.
  struct Capture {
    let header: CaptureHeader
    let records: [CaptureRecord]
    private let file: String

    init(file: String) throws(ReplayFailure) {
      let bytes: [UInt8]
      do throws(FileContents.Failure) {
        bytes = try FileContents(path: file, maximumSize: Replay.largestFile).bytes
      } catch {
        throw .unreadable("\(error)")
      }
      let lines = bytes.split(separator: UInt8(ascii: "\n"))
      guard let first = lines.first, let header = CaptureHeader(try Self.value(of: first, line: 1)) else {
        throw .noCapture
      }
      var records: [CaptureRecord] = []
      for (index, line) in lines.enumerated().dropFirst() {
        guard let record = CaptureRecord(try Self.value(of: line, line: index + 1)) else {
          throw .wrongLine(index + 1, "no record of a capture")
        }
        records.append(record)
      }
      self.header = header
      self.records = records
      self.file = file
    }

    private static func value(of line: ArraySlice<UInt8>, line number: Int) throws(ReplayFailure) -> Value {
      do throws(JSONError) {
        return try JSON.parse(Array(line))
      } catch {
        throw .wrongLine(number, "\(error)")
      }
    }

    /// As it would be made from the configuration that the device had.
    func adapter() throws(ReplayFailure) -> any Adapter {
      guard let kind = Registry.kind(named: header.kind) else {
        let near = nearestName(to: header.kind, among: Registry.kinds.map(\.name))
        throw .unknownKind(header.kind, nearest: near)
      }
      var problems: [ConfigurationProblem] = []
      let options = kind.options.check(
        LocatedValue(written: header.options, file: file), path: "options", problems: &problems)
      let adapter = kind.makeAdapter(options, &problems)
      guard let adapter, !problems.contains(where: { $0.severity == .error }) else {
        throw .wrongOptions(problems.map(\.description))
      }
      return adapter
    }
  }
}

/// Why a file cannot be replayed.
enum ReplayFailure: Error, Equatable, CustomStringConvertible {
  case unreadable(String)
  /// The first line is not that of a capture.
  case noCapture
  case wrongLine(Int, String)
  case unknownKind(String, nearest: String?)
  case wrongOptions([String])

  var description: String {
    switch self {
    case .unreadable(let why): why
    case .noCapture: "this is no capture: its first line is none of 'sketch2mqtt capture'"
    case .wrongLine(let number, let why): "line \(number): \(why)"
    case .unknownKind(let kind, let nearest):
      "there is no kind '\(kind)' here\(nearest.map { "; did you mean '\($0)'?" } ?? "")"
    case .wrongOptions(let lines): "its options do not fit this version:\n\(lines.joined(separator: "\n"))"
    }
  }
}
