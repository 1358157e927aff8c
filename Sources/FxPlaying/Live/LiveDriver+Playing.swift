import CRealtime
import FxAudio
import FxEngine
import Synchronization

/// The work of the render thread.
extension LiveDriver {
  /// The body of the render thread. Signals `supervisor` when it asks for the tail.
  func play(asking supervisor: Wakeup) {
    _ = fx_flush_denormals()
    fx_prefault_stack()
    let slot = exchange.slot
    let block = program.maximumFrameCount
    var cycle = LiveCycle(
      renderer: program.renderer, outputStage: outputStage, levels: levels, frameCount: block,
      mainSource: -1,
      transport: Transport(
        transport.board, sampleRate: program.sampleRate, transport.start), crew: helpers?.crew)
    switch options.length {
    case .source(let index): cycle.mainSource = index
    case .frames(let count): outputStage.endMain(at: max(count, 0))
    case .endless: break
    }
    var now = LiveFigures()
    var fade = FadeOut(frameCount: Int(program.sampleRate / 100))
    // The longest wait for a late source before the device's buffer runs low. Only this wait holds
    // back a device without a clock, which accepts everything at once.
    let buffer = (device.playback ?? device.capture)?.bufferFrameCount ?? block
    let ownWidth = deviceSink.map { program.sinkWidths[$0] } ?? 0
    let patience = Double(max(buffer - block, block)) / program.sampleRate / 2
    now.isDeviceLost = !device.start()
    while !outputStage.isComplete, !now.isDeviceLost {
      if slot.receive() {
        cycle.attach(to: slot.view, sources)
        outputs.attach(to: slot.view)
      }
      let isStopped = isStopping.load(ordering: .relaxed)
      if !isStopped {
        let start = fx_monotonic_seconds()
        if !cycle.transport.isJumping, !cycle.transport.isSilent, !sources.hasFrames(block) {
          sources.feeds.wait(frameCount: block, seconds: device.patience(initial: patience))
        }
        device.note(waitedForSources: fx_monotonic_seconds() - start, frameCount: block)
        // A device without a clock can also wait for all files.
        if !device.isPaced {
          waitForFiles(block, cycle.transport)
          outputStage.waitForTail(seconds: 0.1)
        }
      }
      guard capture.read(frameCount: block, end: outputStage.mainFrameCount, at: cycle.frame) else {
        now.isDeviceLost = true
        break
      }
      let start = fx_monotonic_seconds()
      now.starvedFrameCount += cycle.run(sources)
      if cycle.hasAskedForTail { supervisor.signal() }
      let played = cycle.level(
        outputs.channels, channelCount: outputs.count, into: heard.channels)
      if isStopped { fade.apply(to: played, channelCount: outputs.count, frameCount: block) }
      levels.noteSinks(outputStage, frameCount: block)
      let spent = fx_monotonic_seconds() - start
      device.note(blockTook: spent, frameCount: block)
      now.blockCount += 1
      now.totalBlockTime += spent
      now.maximumBlockTime = max(now.maximumBlockTime, spent)
      measures.blockTimes.record(spent)
      now.renderedFrameCount = cycle.frame
      if now.blockCount == 2 { measures.begin(deviceWaits: device.waitCount) }
      framesDone.store(cycle.frame, ordering: .releasing)
      following.push(played + ownWidth, frameCount: block)
      if let deviceSink,
        !device.write(
          played, frameCount: block,
          soundFrame: outputStage.endFrame(ofSink: deviceSink) - block)
      {
        now.isDeviceLost = true
        break
      }
      if isStopped, fade.isDone || outputs.count == 0 {
        now.wasStopped = true
        break
      }
    }
    following.end()
    if now.blockCount > 2 { measures.end(deviceWaits: device.waitCount) }
    let hasDevice = !now.isDeviceLost
    if now.isDeviceLost, isStopping.load(ordering: .relaxed) {
      // After a stop request, the lost device is not reported.
      now.isDeviceLost = false
      now.wasStopped = true
    }
    figures = now
    guard hasDevice else { return }
    ending.store(Ending.begun.rawValue, ordering: .releasing)
    if !device.drain(), !now.wasStopped {
      ending.store(Ending.failed.rawValue, ordering: .releasing)
    }
  }

  /// Waits until the sources have a block, and the files and the other devices have room for one.
  /// The limit is ten seconds in total, less than the watchdog allows for a hanging device.
  private func waitForFiles(_ block: Int, _ transport: Transport) {
    let limit = fx_monotonic_seconds() + 10
    while !isStopping.load(ordering: .relaxed), fx_monotonic_seconds() < limit {
      if transport.isJumping {
        sources.feeds.wait(forJump: transport.pendingNumber, seconds: 0.1)
        _ = outputStage.waitForRoom(frameCount: block, seconds: 0.1)
        return
      }
      let isReady = sources.feeds.wait(frameCount: block, seconds: 0.1)
      let haveRoom = outputStage.waitForRoom(frameCount: block, seconds: 0.1)
      if following.waitForRoom(), haveRoom, isReady { return }
    }
  }
}
