// Importing the engine imports all of it: its division into modules is for the compiler only.
@_exported public import Cutting
@_exported public import MediaFiles
@_exported public import Probing
@_exported public import Rendering
