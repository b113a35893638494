import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** For tests: returns both ends of a connection; the far one reads nothing. */
export async function socketPair(): Promise<[Socket, Socket]> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const far = connect((listener.address() as AddressInfo).port, '127.0.0.1').pause();
  const [near] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  return [near, far];
}
