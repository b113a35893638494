import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { refuseMalformed } from './refuse-malformed';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('remembering which answers a connection is owed', () => {
  it('[A6 N11] forgets those that have been given, though there is always one under way', async () => {
    const past: WeakRef<IncomingMessage>[] = [];
    const owed: ServerResponse[] = [];
    const server = createServer((request, response) => {
      note(request, response);
      past.push(new WeakRef(request));
      owed.push(response);
    });
    const note = refuseMalformed(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').resume();
    for (let n = 1; n <= 20; n += 1) {
      socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
      await vi.waitFor(() => expect(past).toHaveLength(n), 20_000);
      if (n > 1) owed.shift()?.end();
    }
    await vi.waitFor(() => {
      collectGarbage();
      const alive = past.filter((one) => one.deref() !== undefined).length;
      expect(alive).toBeLessThan(10);
    }, 600_000);
    socket.destroy();
    server.close();
  });
});
