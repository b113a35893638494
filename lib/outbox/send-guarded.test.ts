import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { MessageRefused } from './message-refused';
import { postWebhook } from './post-webhook';
import { guardedSend, type Resolve } from './send-guarded';

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
const listening = async (server: TcpServer) => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return (server.address() as AddressInfo).port;
};
/** Starts a server and returns its address and what it was asked. */
async function receiver(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    answer(request, response);
  });
  closers.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  return { url: `http://127.0.0.1:${await listening(server)}/heads`, asked, server };
}
/** Resolves every name to the next of these lists; the last one stays. */
const resolving = (...answers: string[][]) => {
  const asked: string[] = [];
  const resolve: Resolve = (hostname, _, callback) => {
    const ips = answers[Math.min(asked.length, answers.length - 1)] ?? [];
    asked.push(hostname);
    callback(
      null,
      ips.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
  return { resolve, asked };
};
const PUBLIC_IP = '93.184.216.34';
const secret = `whsec_${Buffer.alloc(24, 1).toString('base64')}`;

describe('[M4] what is posted to an address of a merchant’s choice', () => {
  it.each([
    'https://127.0.0.1/x',
    'https://0x7f.1/x',
    'https://2130706433/x',
    'https://[::1]/x',
    'https://[::ffff:10.0.0.1]/x',
    'https://[64:ff9b::a00:1]/x',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200/latest',
    'https://168.63.129.16/x',
    'https://localhost/x',
    'https://metadata.google.internal/x',
    'http://witness.example/x',
  ])('never asks %s', async (url) => {
    const { resolve, asked } = resolving([PUBLIC_IP]);
    await expect(guardedSend({ allowsPrivate: false, resolve })(url, {}, '{}')).rejects.toThrow(
      MessageRefused,
    );
    expect(asked).toEqual([]);
  });

  it.each(['127.0.0.1', '10.9.8.7', '::1', 'fe80::1%eth0', 'fd00:ec2::254', `${PUBLIC_IP} 127.0.0.1`])(
    'connects to no name that leads to %s',
    async (ips) => {
      let connections = 0;
      const server = createTcpServer((socket) => {
        connections += 1;
        socket.destroy();
      });
      closers.push(() => server.close());
      const port = await listening(server);
      const send = guardedSend({ allowsPrivate: false, resolve: resolving(ips.split(' ')).resolve });
      await expect(send(`https://witness.example:${port}/x`, {}, '{}')).rejects.toThrow('private address');
      expect(connections).toBe(0);
    },
  );

  it('looks a name up once for a connection, and again for the next, so that a name that changes leads nowhere', async () => {
    const { resolve, asked } = resolving([PUBLIC_IP], ['127.0.0.1']);
    const send = guardedSend({ allowsPrivate: false, resolve, timeoutMs: 200 });
    await expect(send('https://witness.example/x', {}, '{}')).rejects.not.toThrow(MessageRefused);
    expect(asked).toHaveLength(1);
    await expect(send('https://witness.example/x', {}, '{}')).rejects.toThrow('private address');
    expect(asked).toHaveLength(2);
  });

  it('follows no redirect', async () => {
    const { url, asked } = await receiver((_, response) =>
      response.writeHead(307, { location: '/else' }).end(),
    );
    const send = guardedSend({ allowsPrivate: true });
    await expect(postWebhook({ url, secret }, 'id', '{}', 'heads', send)).rejects.toThrow('answered 307');
    expect(asked).toEqual(['/heads']);
  });

  it('waits for no slow receiver', async () => {
    const { url, asked } = await receiver(() => {});
    await expect(guardedSend({ allowsPrivate: true, timeoutMs: 300 })(url, {}, '{}')).rejects.toThrow();
    expect(asked).toHaveLength(1);
  });

  it('reads no answer to its end', async () => {
    let isClosed = false;
    const { url } = await receiver((_, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200);
      const more = () => response.write('x'.repeat(65_536), () => response.destroyed || setImmediate(more));
      more();
    });
    expect(await guardedSend({ allowsPrivate: true })(url, {}, '{}')).toBe(200);
    await expect.poll(() => isClosed).toBe(true);
  });
});
