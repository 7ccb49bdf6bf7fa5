// Every command writes JSON and shows text from files: both come with the kit.
@_exported public import JSON
@_exported public import SafeText
