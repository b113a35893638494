import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { ClientGoneError, readBody } from './read-body';

const HEAD = 'HTTP/1.1\r\nhost: x\r\ncontent-length: 9000\r\n\r\n';

describe('reading a body', () => {
  it('[N11] asks for no more room once it has given up, also behind an unfinished answer, and cuts the connection', async () => {
    const asked: number[] = [];
    let request: IncomingMessage | undefined;
    let failure: unknown;
    const server = createServer(async (incoming) => {
      // The first request never gets an answer.
      if (incoming.method === 'GET') return;
      request = incoming;
      const hasRoom = (bytes: number) => asked.push(bytes) > 0;
      failure = await readBody(incoming, { maxBytes: 9_000, withinMs: 300, hasRoom }).catch((error) => error);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    const closed = once(socket, 'close', { signal: AbortSignal.timeout(20_000) });
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\n\r\nPOST / ${HEAD}${'x'.repeat(1_000)}`);
    socket.resume();
    await closed;
    expect(failure).toBeInstanceOf(ClientGoneError);
    expect(asked).toEqual([1_000]);
    // Delivers the bytes that had been received by then.
    request?.emit('data', Buffer.alloc(2_000));
    expect(asked).toEqual([1_000]);
    server.close();
  });
});
