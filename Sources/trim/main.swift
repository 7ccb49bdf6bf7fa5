import TrimCommands

CommandLineTool.main()
