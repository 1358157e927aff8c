import FxRun

RootCommand.main()
