import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { borrowServers } from './borrow-servers';
import { type Lent, lendServers } from './lend-servers';

let lender: Awaited<ReturnType<typeof lendServers>> | undefined;
afterEach(() => lender?.stop());

const ended: string[] = [];
function makeNamed(): () => Promise<Lent> {
  let count = 0;
  ended.length = 0;
  return async () => {
    count += 1;
    const name = String(count);
    return { databaseUrl: `db ${name}`, redisUrl: `redis ${name}`, end: async () => void ended.push(name) };
  };
}

/** Opens a connection like a process; closing it simulates the process's end. */
async function borrow(port: number) {
  const socket = connect(port, '127.0.0.1');
  const [answer] = await once(socket, 'data');
  return { socket, servers: JSON.parse(String(answer)) };
}

it('gives everybody servers of their own', async () => {
  lender = await lendServers(makeNamed());
  const { port } = lender;
  const all = await Promise.all([borrowServers(port), borrowServers(port), borrowServers(port)]);
  expect(all.map(({ databaseUrl }) => databaseUrl).sort()).toEqual(['db 1', 'db 2', 'db 3']);
  expect(all.map(({ redisUrl }) => redisUrl).sort()).toEqual(['redis 1', 'redis 2', 'redis 3']);
  expect(ended).toEqual([]);
});

it('ends what was lent when the borrower is gone, and the rest at the end', async () => {
  lender = await lendServers(makeNamed());
  const [first, second] = [await borrow(lender.port), await borrow(lender.port)];
  expect([first.servers.redisUrl, second.servers.redisUrl]).toEqual(['redis 1', 'redis 2']);
  first.socket.resetAndDestroy();
  await vi.waitFor(() => expect(ended).toEqual(['1']), 50_000);
  await lender.stop();
  expect([...ended].sort()).toEqual(['1', '2', '3']);
  second.socket.destroy();
});

it('says why there is nothing to lend', async () => {
  lender = await lendServers(() => Promise.reject(new Error('no Redis')));
  await expect(borrowServers(lender.port)).rejects.toThrow('no Redis');
});
