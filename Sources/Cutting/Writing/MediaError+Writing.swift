import ISOMedia
import MediaFiles

extension MediaError {
  /// Runs code that lays out or writes a file, and turns its errors into `MediaError`.
  static func ofWriting<Value>(_ work: () throws -> Value) throws(MediaError) -> Value {
    do {
      return try work()
    } catch let error as ISOWriteError {
      throw MediaError(.notCuttable, error.description)
    } catch let error as MediaError {
      throw error
    } catch {
      throw beyondNumbers
    }
  }
}
