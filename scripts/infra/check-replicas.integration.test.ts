import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type ReplicatedPostgres, startReplicatedPostgres } from '@/test/support/start-replicated-postgres';
import { checkReplicas } from './check-replicas.mjs';
import { anyFreePort } from './ports.mjs';

let servers: ReplicatedPostgres;
beforeAll(async () => {
  servers = await startReplicatedPostgres();
});
afterAll(() => servers?.stop());

const check = (urls: string) =>
  checkReplicas(urls, servers.primary.url).catch((error: Error) => error.message);
const passwordOf = (url: string) => new URL(url).password;

it('[K4] a replica of the primary will do, and one that is away is named and fails no start', async () => {
  expect(await check(servers.replica.url)).toBe('1 of 1 replicas');
  const nobody = `postgres://me:secret@127.0.0.1:${await anyFreePort()}/shop`;
  expect(await check(`${servers.replica.url}, ${nobody}`)).toMatch(
    /^1 of 2 replicas \(careful: 127\.0\.0\.1:\d+\/shop: nothing answers there\)$/,
  );
});

it('[K4] the primary itself, a server of its own, a wrong password and nonsense are refused with one sentence', async () => {
  expect(await check(servers.primary.url)).toMatch(
    /no replica: it takes changes of its own\): correct DATABASE_REPLICA_URLS/,
  );
  expect(await check(inject('databaseUrl'))).toMatch(/no replica/);
  const wrong = new URL(servers.replica.url);
  wrong.password = 'wrong';
  const said = await check(wrong.href);
  expect(said).toMatch(/can't be read from \(password authentication failed/);
  expect(said).not.toContain(passwordOf(servers.replica.url));
  expect(await check('my-replica')).toMatch(/not a list of Postgres addresses/);
  expect(
    await checkReplicas(servers.replica.url, inject('databaseUrl')).catch((error: Error) => error.message),
  ).toMatch(/the replica of another server/);
});
