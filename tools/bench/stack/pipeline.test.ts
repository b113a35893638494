import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { encodeCommand, runPipeline } from './pipeline';

/** Starts a server that answers every command with `reply`, split into single bytes. */
async function withServer(reply: string, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((socket) => {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => {
      const commands = chunk.toString().split('PING').length - 1;
      for (const byte of reply.repeat(commands)) socket.write(byte);
    });
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  try {
    await work(`redis://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`);
  } finally {
    server.close();
  }
}

const pings = Array.from({ length: 40 }, () => encodeCommand(['PING']));

describe('the pipeline', () => {
  it('[E10] writes commands in Redis’s protocol, lengths in bytes', () => {
    expect(encodeCommand(['SET', 'ü', 12])).toBe('*3\r\n$3\r\nSET\r\n$2\r\nü\r\n$2\r\n12\r\n');
  });

  it.each(['+PONG\r\n', ':1\r\n', '$8\r\naccepted\r\n', '$9\r\nok 1\nok 2\r\n'])(
    '[E10] counts replies such as %j once each',
    async (reply) => {
      await withServer(reply, async (url) => {
        expect(await runPipeline(url, pings, 7)).toBeGreaterThan(0);
      });
    },
  );

  it('[E10] fails with the first error reply', async () => {
    await withServer('-STOCKCORRUPT sale\r\n', async (url) => {
      await expect(runPipeline(url, pings, 7)).rejects.toThrow(/^-/);
    });
  });
});
