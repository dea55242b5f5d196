/// The one of `names` that was probably meant by `text`; nil if none is near.
///
/// Near: at most a third of the letters inserted, left out, replaced or swapped; case does not count.
public func nearestName(to text: String, among names: some Sequence<String>) -> String? {
  let longest = 64
  let written = Array(text.lowercased())
  guard !written.isEmpty, written.count <= longest else { return nil }
  var best: (name: String, distance: Int)?
  for name in names {
    let letters = Array(name.lowercased())
    guard letters.count <= longest else { continue }
    let distance = editDistance(written, letters)
    guard distance <= max(1, max(written.count, letters.count) / 3), distance < letters.count else {
      continue
    }
    if distance < best?.distance ?? .max { best = (name, distance) }
  }
  return best?.name
}

/// Levenshtein's distance, with a swap of two neighbours as one step.
func editDistance(_ left: [Character], _ right: [Character]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
      var distance = min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        distance = min(distance, beforeLast[column - 1] + 1)
      }
      current.append(distance)
    }
    beforeLast = last
    last = current
  }
  return last[right.count]
}
