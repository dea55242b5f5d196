import Glibc

public typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// The loop of libFuzzer's, which ends the process.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The subject that `FUZZ_SUBJECT` names.
private let subject: Subject = {
  let name = getenv("FUZZ_SUBJECT").map { String(cString: $0) } ?? ""
  guard let subject = Subject.all.first(where: { $0.name == name }) else {
    fatalError("FUZZ_SUBJECT is one of \(Subject.all.map(\.name).joined(separator: " "))")
  }
  return subject
}()

/// What libFuzzer calls with each of its inputs.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try subject.check(Array(UnsafeBufferPointer(start: start, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}

/// By this name SwiftPM looks for the start of a program.
@_cdecl("FuzzTests_main")
public func start(_ count: CInt, _ arguments: Arguments) -> CInt {
  var count = count
  var arguments = arguments
  return runDriver(&count, &arguments) { testOneInput($0, $1) }
}
