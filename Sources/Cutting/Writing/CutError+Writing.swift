import ISOMedia

extension CutError {
  /// Runs code that lays out or writes a file, and turns its errors into `CutError`.
  static func ofWriting<Value>(_ work: () throws -> Value) throws(CutError) -> Value {
    do {
      return try work()
    } catch let error as ISOWriteError {
      throw CutError(.notCuttable, error.description)
    } catch let error as CutError {
      throw error
    } catch {
      throw beyondNumbers
    }
  }
}
