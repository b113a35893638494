import {
  loadedInfo,
  readInfo,
  refuseWrongRole,
  tryEverything,
  urlOf,
  warningsOf,
  withServer,
} from './redis-checks.mjs';

const ALL_SLOTS = 16_384;
/** A majority of the primaries elects a new one: of two, none is left that could. */
const LEAST_PRIMARIES = 3;
/** With `yes`, which is the default, one shard without a primary closes all others. */
const COVERAGE = { 'cluster-require-full-coverage': 'no' };

/**
 * Checks every primary of a cluster as a single server is checked. Nodes of the address that don't answer are told of; one
 * that does is enough.
 * @param {import('../../lib/redis-address.mjs').RedisAddress} address
 * @param {import('./redis-checks.mjs').Asking} asking
 * @returns {Promise<string[]>} warnings. @throws {Problem} that says what is wrong, and where
 */
export async function checkRedisCluster(address, asking) {
  const looks = await Promise.allSettled(
    address.hosts.map((host) => withServer(urlOf(address, host), asking, findPrimaries)),
  );
  const found = looks.find((look) => look.status === 'fulfilled')?.value;
  const away = looks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  if (!found) throw away[0];
  const { Command } = await import('ioredis');
  const warnings = await Promise.all(
    found.map(({ ranges, ...host }) => {
      const isHeld = (key) => {
        const slot = new Command('get', [key]).getSlot();
        return ranges.some(([from, to]) => from <= slot && slot <= to);
      };
      return withServer(urlOf(address, host), asking, async (client) => {
        refuseWrongRole(await loadedInfo(client, asking.wait));
        await tryEverything(client, isHeld);
        return (await warningsOf(client, COVERAGE)).map((text) => `${text} at ${host.host}:${host.port}`);
      });
    }),
  );
  const few =
    found.length < LEAST_PRIMARIES
      ? [
          `the cluster has ${found.length} primaries, should have ${LEAST_PRIMARIES}: with fewer none is replaced`,
        ]
      : [];
  return [...few, ...away.map(({ message }) => message), ...warnings.flat()];
}

/** Asks a node of the cluster for its primaries, if the cluster is whole. */
async function findPrimaries(client) {
  const info = readInfo(await client.info());
  if (info.redis_mode === 'sentinel')
    throw new Error('that is a Sentinel: write redis+sentinel://host:port/NAME');
  if (info.cluster_enabled !== '1') throw new Error('it is not part of a cluster: write redis://host:port');
  const state = readInfo(await client.cluster('INFO'));
  const missing = ALL_SLOTS - Number(state.cluster_slots_assigned);
  if (missing > 0)
    throw new Error(
      `${missing} of the cluster's ${ALL_SLOTS} slots belong to no server: assign them, for example by redis-cli --cluster fix`,
    );
  const lost = ALL_SLOTS - Number(state.cluster_slots_ok);
  if (state.cluster_state !== 'ok' || lost > 0)
    throw new Error(
      `the cluster says cluster_state:${state.cluster_state}, and ${lost} of its slots have no primary that answers: start those servers`,
    );
  const primaries = new Map();
  for (const [from, to, [host, port]] of await client.cluster('SLOTS')) {
    const known = primaries.get(`${host}:${port}`) ?? { host, port, ranges: [] };
    known.ranges.push([from, to]);
    primaries.set(`${host}:${port}`, known);
  }
  return [...primaries.values()];
}
