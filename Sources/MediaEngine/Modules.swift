// Whoever imports the engine has all of it: the modules it is made of are for the compiler.
@_exported public import Cutting
@_exported public import MediaFiles
@_exported public import Probing
@_exported public import Rendering
