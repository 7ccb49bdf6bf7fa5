import CFFmpeg

/// The addresses of a picture's planes, as the scaler requires them: arrays instead of tuples.
@unsafe struct PicturePlanes {
  private var pointers: [UnsafeMutablePointer<UInt8>?]
  private var strides: [Int32]

  init(_ frame: UnsafeMutablePointer<AVFrame>) {
    let (data, sizes) = unsafe (frame.pointee.data, frame.pointee.linesize)
    unsafe pointers = unsafe [data.0, data.1, data.2, data.3]
    unsafe strides = [sizes.0, sizes.1, sizes.2, sizes.3]
  }

  /// One plane of interleaved values.
  init(_ base: UnsafeMutablePointer<UInt8>?, stride: Int) {
    unsafe pointers = unsafe [base, nil, nil, nil]
    unsafe strides = [Int32(stride), 0, 0, 0]
  }

  init(_ pointers: [UnsafeMutablePointer<UInt8>?], strides: [Int]) {
    unsafe self.pointers = unsafe pointers
    unsafe self.strides = strides.map { Int32($0) }
  }

  /// - Returns: how many rows were written, or FFmpeg's error.
  func fill(from source: PicturePlanes, _ scaler: OpaquePointer, height: Int32) -> Int {
    let planes = unsafe source.pointers.map { unsafe UnsafePointer($0) }
    return unsafe Int(
      trim_scaler_scale(scaler, planes, source.strides, height, pointers, strides))
  }
}
