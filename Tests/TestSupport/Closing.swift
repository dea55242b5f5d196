/// Runs `body`, then `close`, whether or not `body` throws.
public func closing<T>(
  _ close: () async -> Void, after body: () async throws -> T
) async throws -> T {
  let result: T
  do {
    result = try await body()
  } catch {
    await close()
    throw error
  }
  await close()
  return result
}
