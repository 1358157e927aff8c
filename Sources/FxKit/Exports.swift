// Modules with public types of this library. Who imports FxKit sees them too.
@_exported public import FxAudio
@_exported public import FxChain
@_exported public import FxEngine
@_exported public import FxMedia
@_exported public import FxNodes
@_exported public import FxPlaying
