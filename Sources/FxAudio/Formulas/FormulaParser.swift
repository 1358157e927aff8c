/// Parses a formula: comparisons of sums of products, parentheses and functions.
struct FormulaParser {
  private let bytes: [UInt8]
  private let variables: [String]
  private var position = 0
  private var nesting = 0
  private var formula = Formula()

  init(_ text: String, variables: [String]) {
    bytes = Array(text.utf8)
    self.variables = variables
  }

  mutating func parsed() throws(Failure) -> Formula {
    guard bytes.count <= Formula.longestText else {
      throw mistake("is longer than \(Formula.longestText) characters", 0..<bytes.count)
    }
    try comparison()
    skipSpaces()
    guard position == bytes.count else { throw unexpected("an operator") }
    return formula
  }

  private mutating func comparison() throws(Failure) {
    try sum()
    if take("<=") {
      try sum()
      formula.append(.lessOrEqual)
    } else if take(">=") {
      // a >= b is -a <= -b.
      formula.append(.negate)
      try sum()
      formula.append(.negate)
      formula.append(.lessOrEqual)
    } else if take("==") {
      try sum()
      formula.append(.equal)
    } else if take("!=") {
      try sum()
      formula.append(.equal)
      formula.append(.number, 1)
      formula.append(.subtract)
      formula.append(.absolute)
    } else if take("<") {
      try sum()
      formula.append(.less)
    } else if take(">") {
      formula.append(.negate)
      try sum()
      formula.append(.negate)
      formula.append(.less)
    }
  }

  private mutating func sum() throws(Failure) {
    try product()
    while true {
      if take("+") {
        try product()
        formula.append(.add)
      } else if take("-") {
        try product()
        formula.append(.subtract)
      } else {
        return
      }
    }
  }

  private mutating func product() throws(Failure) {
    try factor()
    while true {
      if take("*") {
        try factor()
        formula.append(.multiply)
      } else if take("/") {
        try factor()
        formula.append(.divide)
      } else {
        return
      }
    }
  }

  private mutating func factor() throws(Failure) {
    let start = position
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Formula.deepestNesting else {
      throw mistake("is nested deeper than \(Formula.deepestNesting)", start..<bytes.count)
    }
    if take("-") {
      try factor()
      formula.append(.negate)
    } else if take("(") {
      try comparison()
      guard take(")") else { throw unexpected("')'") }
    } else if let name = takeName() {
      try named(name.text, at: name.range)
    } else {
      try number()
    }
  }

  private mutating func named(_ name: String, at range: Range<Int>) throws(Failure) {
    if let index = variables.firstIndex(of: name) {
      formula.append(.variable, Double(index))
      return
    }
    if name == "pi" {
      formula.append(.number, .pi)
      return
    }
    guard let function = Formula.functions.first(where: { $0.name == name }) else {
      let known = variables + ["pi"] + Formula.functions.map { "\($0.name)()" }
      throw mistake("has no '\(name)'; it has \(known.joined(separator: ", "))", range)
    }
    guard take("(") else { throw unexpected("'(' behind '\(name)'") }
    for number in 1...function.operation.operandCount {
      if number > 1, !take(",") {
        let count = function.operation.operandCount
        throw unexpected("',': '\(name)' takes \(count) values")
      }
      try comparison()
    }
    guard take(")") else { throw unexpected("')'") }
    formula.append(function.operation)
  }

  private mutating func number() throws(Failure) {
    skipSpaces()
    let start = position
    func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
    while position < bytes.count, isDigit(bytes[position]) || bytes[position] == 46 {
      position += 1
    }
    guard position > start else { throw unexpected("a number, a name or '('") }
    if position < bytes.count, bytes[position] | 32 == 101 {
      // `e` is an exponent only where digits follow.
      var end = position + 1
      if end < bytes.count, bytes[end] == 43 || bytes[end] == 45 { end += 1 }
      if end < bytes.count, isDigit(bytes[end]) {
        while end < bytes.count, isDigit(bytes[end]) { end += 1 }
        position = end
      }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      throw mistake("has no number '\(text)'", start..<position)
    }
    formula.append(.number, value)
  }

  // MARK: Text

  private mutating func skipSpaces() {
    while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { position += 1 }
  }

  private mutating func take(_ sign: String) -> Bool {
    skipSpaces()
    guard bytes[position...].starts(with: sign.utf8) else { return false }
    position += sign.utf8.count
    return true
  }

  private mutating func takeName() -> (text: String, range: Range<Int>)? {
    skipSpaces()
    let start = position
    func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) || byte == 95 }
    guard start < bytes.count, isLetter(bytes[start]) else { return nil }
    while position < bytes.count, isLetter(bytes[position]) || (48...57).contains(bytes[position]) {
      position += 1
    }
    return (String(decoding: bytes[start..<position], as: UTF8.self), start..<position)
  }

  private func mistake(_ message: String, _ range: Range<Int>) -> Failure {
    Failure(.usage, message, part: range)
  }

  private mutating func unexpected(_ wanted: String) -> Failure {
    skipSpaces()
    guard position < bytes.count else {
      return mistake("ends where \(wanted) is expected", max(bytes.count - 1, 0)..<bytes.count)
    }
    // Include all bytes of the character.
    var end = position + 1
    while end < bytes.count, bytes[end] & 0xc0 == 0x80 { end += 1 }
    let found = String(decoding: bytes[position..<end], as: UTF8.self)
    return mistake(
      "has '\(ForeignText.shortened(found))' where \(wanted) is expected", position..<end)
  }
}
