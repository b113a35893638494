import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Link, openLink } from './link';

let link: Link;
let heard = '';
const server = createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    heard += chunk;
    socket.write(chunk);
  });
});
const sockets: Socket[] = [];

beforeEach(async () => {
  heard = '';
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  link = await openLink(`redis://127.0.0.1:${(server.address() as AddressInfo).port}/3`);
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await link.stop();
  await new Promise((resolve) => server.close(resolve));
});

async function open() {
  const socket = connect(Number(new URL(link.url).port), '127.0.0.1');
  const client = { said: '', closed: false, write: (text: string) => socket.write(text) };
  sockets.push(socket);
  socket.on('data', (chunk) => {
    client.said += chunk;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    client.closed = true;
  });
  await once(socket, 'connect');
  client.write('hello ');
  await expect.poll(() => client.said).toBe('hello ');
  return client;
}

describe('a link', () => {
  it('[J4] keeps the path of the address it stands for', () => {
    expect(link.url).toMatch(/^redis:\/\/127\.0\.0\.1:\d+\/3$/);
  });

  it('[J4] that is mute lets the question through and keeps the answer; then its connections break', async () => {
    const client = await open();
    link.mute();
    client.write('there');
    await expect.poll(() => heard).toBe('hello there');
    link.heal();
    await expect.poll(() => client.closed).toBe(true);
    expect(client.said).toBe('hello ');
    await open();
  });

  it('[J4] that is stalled lets nothing through, and everything afterwards', async () => {
    const client = await open();
    link.stall();
    client.write('there');
    const beside = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(beside);
    beside.write('who else? ');
    await once(beside, 'data');
    expect(heard).toBe('hello who else? ');
    link.heal();
    await expect.poll(() => client.said).toBe('hello there');
    expect(client.closed).toBe(false);
  });

  it('[J4] that is slow keeps answers back for two seconds, in their order, or until it is healed', async () => {
    const client = await open();
    link.slow();
    const from = performance.now();
    client.write('one ');
    await expect.poll(() => heard).toBe('hello one ');
    client.write('two ');
    await expect.poll(() => client.said, { timeout: 40_000 }).toMatch(/^hello one /);
    expect(performance.now() - from).toBeGreaterThan(1_900);
    await expect.poll(() => client.said, { timeout: 40_000 }).toBe('hello one two ');
    client.write('three ');
    await expect.poll(() => heard).toMatch(/three $/);
    link.heal();
    client.write('four ');
    await expect.poll(() => client.said).toBe('hello one two three four ');
    expect(client.closed).toBe(false);
  }, 600_000);

  it('[J4] that is cut breaks what is open and what comes, until it is healed', async () => {
    const client = await open();
    link.cut();
    await expect.poll(() => client.closed).toBe(true);
    await expect(open()).rejects.toThrow();
    link.heal();
    await open();
  });
});
