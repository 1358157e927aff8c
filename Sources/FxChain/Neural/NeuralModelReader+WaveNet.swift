import FxAudio

extension NeuralModelReader {
  static func waveNet(_ config: NeuralField) throws(Failure) -> NeuralModel.WaveNet {
    try config.expectOnly(["layers", "head", "head_scale", "in_channels"])
    try config.expectOne("in_channels")
    let fields = try config.required("layers").elements
    guard !fields.isEmpty, fields.count <= layerLimit else {
      throw Failure(
        .unreadable, "config.layers has \(fields.count) stacks; a model has 1 to \(layerLimit)")
    }
    var stacks: [NeuralModel.WaveNet.Stack] = []
    for field in fields { stacks.append(try stack(field, after: stacks.last)) }
    let head = try config.optional("head")
    let headSize = stacks.last?.headSize ?? 1
    guard let head else {
      guard headSize == 1 else {
        throw Failure(
          .unreadable,
          "config.layers[\(stacks.count - 1)] has a head of \(headSize) channels, and the output of "
            + "a model has 1")
      }
      return NeuralModel.WaveNet(stacks: stacks)
    }
    return NeuralModel.WaveNet(stacks: stacks, head: try self.head(head, headSize))
  }

  private static func head(
    _ field: NeuralField, _ inputSize: Int
  ) throws(Failure) -> NeuralModel.WaveNet.Head {
    try field.expectOnly([
      "in_channels", "channels", "activation", "num_layers", "kernel_sizes", "out_channels",
    ])
    try field.expectOne("out_channels")
    if let inputs = try field.optional("in_channels"), try inputs.size != inputSize {
      throw inputs.failure("is \(try inputs.size), and the last stack has a head of \(inputSize)")
    }
    var sizes: [Int] = []
    if let list = try field.optional("kernel_sizes") {
      sizes = try dilations(list)
    } else {
      let count = try field.required("num_layers")
      guard try count.size <= layerLimit else {
        throw count.failure("is \(try count.size); a model has at most \(layerLimit) layers")
      }
      sizes = [Int](repeating: 1, count: try count.size)
    }
    return NeuralModel.WaveNet.Head(
      kernelSizes: sizes, channels: try field.required("channels").size,
      activation: try field.required("activation").activation)
  }

  private static func stack(
    _ field: NeuralField, after last: NeuralModel.WaveNet.Stack?
  ) throws(Failure) -> NeuralModel.WaveNet.Stack {
    try field.expectOnly([
      "input_size", "condition_size", "channels", "bottleneck", "kernel_size", "kernel_sizes",
      "dilations", "activation", "gated", "gating_mode", "secondary_activation", "head_size",
      "head_bias", "head", "layer1x1", "head1x1", "groups_input", "groups_input_mixin",
    ])
    for key in ["condition_size", "groups_input", "groups_input_mixin"] {
      try field.expectOne(key)
    }
    let inputs = try field.required("input_size")
    guard try inputs.size == last?.channels ?? 1 else {
      throw inputs.failure(
        last.map { "is \(shown(inputs)), and the stack before it has \($0.channels) channels" }
          ?? "is \(shown(inputs)), and fxrun plays models with one input")
    }
    let channels = try field.required("channels").size
    let head = try headOptions(field)
    var stack = NeuralModel.WaveNet.Stack(
      inputSize: try inputs.size, channels: channels,
      bottleneck: try field.optional("bottleneck")?.size, layers: try layers(field),
      headSize: head.size, hasHeadBias: head.hasBias)
    stack.headKernelSize = head.kernelSize
    if let inner = try field.optional("layer1x1") {
      try inner.expectOne("groups")
      stack.hasLayerOutput = try inner.required("active").flag
    }
    if let inner = try field.optional("head1x1"), try inner.required("active").flag {
      try inner.expectOne("groups")
      stack.sumSize = try inner.required("out_channels").size
    }
    if let last, last.headSize != stack.summedSize {
      throw field.failure(
        "adds up \(stack.summedSize) channels, and the stack before it has a head of \(last.headSize)"
      )
    }
    return stack
  }

  private static func shown(_ field: NeuralField) -> String { field.value.spelling }

  private static func headOptions(
    _ field: NeuralField
  ) throws(Failure) -> (size: Int, kernelSize: Int, hasBias: Bool) {
    guard let head = try field.optional("head") else {
      return (try field.required("head_size").size, 1, try field.required("head_bias").flag)
    }
    try head.expectOnly(["out_channels", "kernel_size", "bias"])
    return (
      try head.required("out_channels").size, try head.required("kernel_size").size,
      try head.required("bias").flag
    )
  }

  private static func layers(
    _ field: NeuralField
  ) throws(Failure) -> [NeuralModel.WaveNet.Layer] {
    let dilations = try dilations(field.required("dilations"))
    let count = dilations.count
    let key = try field.optional("kernel_sizes") == nil ? "kernel_size" : "kernel_sizes"
    let sizes = try field.required(key)
    let kernels = try sizes.each(count) { size throws(Failure) in try size.size }
    let activations = try field.required("activation").each(count) { name throws(Failure) in
      try name.activation
    }
    let gates = try gates(field, count)
    return dilations.indices.map {
      NeuralModel.WaveNet.Layer(
        kernelSize: kernels[$0], dilation: dilations[$0], activation: activations[$0],
        gate: gates[$0])
    }
  }

  /// For each layer the function of its gate, or nil.
  private static func gates(
    _ field: NeuralField, _ count: Int
  ) throws(Failure) -> [NeuralModel.Activation?] {
    var areGated = [Bool](repeating: try field.optional("gated")?.flag ?? false, count: count)
    if let mode = try field.optional("gating_mode") {
      areGated = try mode.each(count) { mode throws(Failure) in
        switch try mode.text {
        case "none": return false
        case "gated": return true
        case let name:
          throw mode.failure(
            "is '\(ForeignText.shortened(name, to: 40))'; fxrun plays the modes 'none' and 'gated'")
        }
      }
    }
    guard areGated.contains(true), let second = try field.optional("secondary_activation") else {
      return areGated.map { $0 ? .sigmoid : nil }
    }
    let functions = try second.each(count) { name throws(Failure) -> NeuralModel.Activation? in
      name.value.kind == .null ? nil : try name.activation
    }
    return zip(areGated, functions).map { $0 ? $1 ?? .sigmoid : nil }
  }
}
