import FxRun

FxRun.main()
