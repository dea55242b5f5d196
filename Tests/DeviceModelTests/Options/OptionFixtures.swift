import DeviceModel
import Testing

let optionOrigin = SourceLocation(file: "config.yaml", line: 3, column: 5)

func check(
  _ schema: OptionSchema, _ value: Value
) -> (options: Options, problems: [String]) {
  var problems: [ConfigurationProblem] = []
  let options = schema.check(LocatedValue(value, at: optionOrigin), path: "options", problems: &problems)
  return (options, problems.map(\.description))
}

func refusal(of type: OptionType, _ value: Value) -> String? {
  let (_, problems) = check(OptionSchema([OptionField("x", type, summary: "")]), ["x": value])
  return problems.isEmpty ? nil : problems.joined(separator: "\n")
}

func meaning(of type: OptionType, _ value: Value) -> OptionValue? {
  check(OptionSchema([OptionField("x", type, summary: "")]), ["x": value]).options["x"]
}
