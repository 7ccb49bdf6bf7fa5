import ISOMedia

extension CutError {
  /// Does what lays out or writes a file, with what it throws as one kind of error.
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
