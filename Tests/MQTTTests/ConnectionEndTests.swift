import CMosquitto
import Glibc
import Testing

@testable import MQTT

struct ConnectionEndTests {
  private func reason(_ code: mosq_err_t, _ systemCode: Int32 = 0) -> DisconnectReason {
    MosquittoEnd(code: code.rawValue, systemCode: systemCode, log: [], hadConnection: true).reasonOfLoss
  }

  @Test func `why a connection was lost is said in words about the connection`() {
    #expect(reason(MOSQ_ERR_ERRNO, ECONNRESET) == .lost("Connection reset by peer"))
    #expect(reason(MOSQ_ERR_CONN_LOST) == .lost("closed by the broker"))
    #expect(reason(MOSQ_ERR_KEEPALIVE) == .silent)
  }

  @Test(arguments: [EBADF, 0])
  func `a reason that the library has lost with its socket is not made up`(systemCode: Int32) {
    #expect(reason(MOSQ_ERR_ERRNO, systemCode) == .lost("no reason is known"))
  }
}
