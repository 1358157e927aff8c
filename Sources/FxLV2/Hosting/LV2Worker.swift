import CLilv
import CRealtime
import Glibc
import Synchronization

/// The worker of one plugin instance. It receives jobs from `run`, lets the plugin perform them
/// outside of `run`, and delivers the plugin's responses on the render thread.
///
/// Live, a separate thread performs the jobs; it is woken without a lock. Offline, the jobs are
/// performed in order right after the `run` that scheduled them, so that a render never depends on
/// timing.
struct LV2Worker {
  /// Bytes of the ring for jobs and of the ring for responses.
  static let ringCapacity = 1 << 17

  let requests = ByteRing(capacity: ringCapacity)
  let responses = ByteRing(capacity: ringCapacity)
  /// Where a job or a response is copied to from its ring, each by one thread.
  private let job: UnsafeMutableRawPointer
  private let answer: UnsafeMutableRawPointer
  private let isLive: Bool
  private let place: LV2Place.Pointer
  /// A copy of `LV2Worker.respond` that the render thread may read.
  private let respondFunction: LV2_Worker_Respond_Function
  private let semaphore: UnsafeMutablePointer<sem_t>
  private let isStopping: UnsafeMutablePointer<Atomic<Bool>>
  private var thread: UInt64?
  /// False until the thread starts; until then jobs are performed inline.
  private var isThreaded = false
  /// nil before the plugin is instantiated, and for a plugin without a worker.
  private(set) var interface: UnsafePointer<LV2_Worker_Interface>?
  private(set) var handle: LV2_Handle?

  init(isLive: Bool, place: LV2Place.Pointer) {
    self.isLive = isLive
    self.place = place
    respondFunction = LV2Worker.respond
    job = .allocate(byteCount: LV2Worker.ringCapacity, alignment: 16)
    answer = .allocate(byteCount: LV2Worker.ringCapacity, alignment: 16)
    // Written once, so that the render thread causes no page faults.
    answer.initializeMemory(as: UInt8.self, repeating: 0, count: LV2Worker.ringCapacity)
    semaphore = .allocate(capacity: 1)
    semaphore.initialize(to: sem_t())
    sem_init(semaphore, 0, 0)
    isStopping = .allocate(capacity: 1)
    isStopping.initialize(to: Atomic(false))
  }

  /// The feature's data for `worker:schedule`; valid while the worker stays at its address.
  static func scheduleFeature(_ worker: UnsafeMutablePointer<LV2Worker>) -> LV2_Worker_Schedule {
    LV2_Worker_Schedule(handle: worker) { worker, size, data in
      guard let worker else { return LV2_WORKER_ERR_UNKNOWN }
      return worker.assumingMemoryBound(to: LV2Worker.self).pointee.schedule(data, size: size)
    }
  }

  /// Starts performing jobs, inline at first.
  static func attach(
    _ worker: UnsafeMutablePointer<LV2Worker>, interface: UnsafePointer<LV2_Worker_Interface>,
    handle: LV2_Handle
  ) {
    worker.pointee.interface = interface
    worker.pointee.handle = handle
  }

  /// Live, starts the thread that performs the jobs; false when it cannot be started.
  static func launch(_ worker: UnsafeMutablePointer<LV2Worker>) -> Bool {
    guard worker.pointee.isLive, worker.pointee.interface != nil else { return true }
    worker.pointee.isThreaded = true
    worker.pointee.isStopping.pointee.store(false, ordering: .releasing)
    var thread: UInt64 = 0
    let error = fx_thread_start(
      &thread, 0,
      { worker in
        if let worker { LV2Worker.doJobs(worker.assumingMemoryBound(to: LV2Worker.self)) }
        return nil
      }, worker)
    guard error == 0 else {
      worker.pointee.isThreaded = false
      return false
    }
    worker.pointee.thread = thread
    // For jobs that are still queued.
    sem_post(worker.pointee.semaphore)
    return true
  }

  /// Stops the thread. Jobs that are still queued wait for the next `launch`.
  static func stop(_ worker: UnsafeMutablePointer<LV2Worker>) {
    guard let thread = worker.pointee.thread else { return }
    worker.pointee.isStopping.pointee.store(true, ordering: .releasing)
    sem_post(worker.pointee.semaphore)
    fx_thread_join(thread)
    worker.pointee.thread = nil
  }

  func destroy() {
    requests.destroy()
    responses.destroy()
    job.deallocate()
    answer.deallocate()
    sem_destroy(semaphore)
    semaphore.deallocate()
    isStopping.deinitialize(count: 1)
    isStopping.deallocate()
  }

  /// The thread of a live worker.
  private static func doJobs(_ worker: UnsafeMutablePointer<LV2Worker>) {
    let semaphore = worker.pointee.semaphore
    let isStopping = worker.pointee.isStopping
    let job = worker.pointee.job
    guard let interface = worker.pointee.interface, let handle = worker.pointee.handle else {
      return
    }
    _ = fx_plugin_enters(worker.pointee.place)
    while true {
      while sem_wait(semaphore) != 0 && errno == EINTR {}
      if isStopping.pointee.load(ordering: .acquiring) { return }
      while let request = worker.pointee.requests.pop(into: job) {
        fx_lv2_work(interface, handle, LV2Worker.respond, worker, request.size, job)
      }
    }
  }

  /// Queues a response of `work` for the render thread.
  private static let respond: LV2_Worker_Respond_Function = { worker, size, data in
    guard let worker else { return LV2_WORKER_ERR_UNKNOWN }
    let responses = worker.assumingMemoryBound(to: LV2Worker.self).pointee.responses
    return responses.push(data, size: size) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE
  }

  /// True when a job is queued.
  var hasJobs: Bool { requests.start != requests.end }

  // MARK: - Realtime

  /// Queues a job from `run`.
  @_noLocks
  fileprivate func schedule(_ data: UnsafeRawPointer?, size: UInt32) -> LV2_Worker_Status {
    guard requests.push(data, size: size) else { return LV2_WORKER_ERR_NO_SPACE }
    if isThreaded { fx_lv2_wake(semaphore) }
    return LV2_WORKER_SUCCESS
  }

  /// Called after every `run`: offline, performs the jobs that it scheduled; then delivers the
  /// responses and ends the cycle.
  @_noLocks
  static func finishRun(_ worker: UnsafeMutablePointer<LV2Worker>) {
    guard let interface = worker.pointee.interface, let handle = worker.pointee.handle else {
      return
    }
    let job = worker.pointee.job
    if !worker.pointee.isThreaded {
      // Jobs scheduled by a response wait for the next block; otherwise this loop might never end.
      let end = worker.pointee.requests.end
      while worker.pointee.requests.start != end,
        let request = worker.pointee.requests.pop(into: job)
      {
        fx_lv2_work(
          interface, handle, worker.pointee.respondFunction, worker, request.size, job)
        deliver(worker, interface, handle)
      }
    }
    deliver(worker, interface, handle)
    fx_lv2_end_run(interface, handle)
  }

  @_noLocks
  private static func deliver(
    _ worker: UnsafeMutablePointer<LV2Worker>,
    _ interface: UnsafePointer<LV2_Worker_Interface>, _ handle: LV2_Handle
  ) {
    let answer = worker.pointee.answer
    let end = worker.pointee.responses.end
    while worker.pointee.responses.start != end,
      let response = worker.pointee.responses.pop(into: answer)
    {
      fx_lv2_work_response(interface, handle, response.size, answer)
    }
  }
}
