import ExactTime
import Testing
import Trimming

@Suite struct `Given a handle that moves` {
  @Test func `then the picture of the in point is its first frame`() {
    var session = Clip.session(range(1, 60))
    let requests = session.selecting(range(5, 60)).pictureRequests
    #expect(requests == [PictureRequest(id: 1, handle: .inPoint, position: at(5))])
  }

  @Test func `then the picture of the out point is the last frame that is shown`() {
    var session = Clip.session(range(1, 60))
    let requests = session.selecting(range(1, 50)).pictureRequests
    #expect(requests == [PictureRequest(id: 1, handle: .outPoint, position: at(4_996, 100))])
  }

  @Test func `then only the answer to the newest request is shown`() {
    var session = Clip.session(range(1, 60))
    session.selecting(range(5, 60))
    session.selecting(range(6, 60))
    #expect(session.after(.pictureDidArrive(id: 1, position: at(5))) == [])
    #expect(session.picturePosition == nil)
    #expect(session.after(.pictureDidArrive(id: 2, position: at(6))) == [.showPicture(id: 2)])
    #expect(session.picturePosition == at(6))
  }
}
