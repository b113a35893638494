import { Problem } from './problem.mjs';
import {
  loadedInfo,
  readInfo,
  refuseMixedPolicies,
  refuseUnfit,
  stanceOf,
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
 * Checks every primary of a cluster as a single server is checked, and whether its replicas could take over. Nodes of the address that don't answer are told of; one
 * that does is enough.
 * @param {import('../../lib/redis-address.mjs').RedisAddress} address
 * @param {import('./redis-checks.mjs').Asking} asking
 * @returns {Promise<string[]>} warnings. @throws {Problem} that says what is wrong, and where
 */
export async function checkRedisCluster(address, asking) {
  const looks = await Promise.allSettled(
    address.hosts.map((host) => withServer(urlOf(address, host), asking, findNodes)),
  );
  const views = looks.flatMap(({ value }, at) => (value ? [{ ...value, host: address.hosts[at] }] : []));
  const away = looks.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  if (!views[0]) throw away[0];
  refuseOthers(views, asking);
  const { primaries: found, replicas } = views[0];
  const { Command } = await import('ioredis');
  const warnings = await Promise.all(
    found.map(({ ranges, ...host }) => {
      const isHeld = (key) => {
        const slot = new Command('get', [key]).getSlot();
        return ranges.some(([from, to]) => from <= slot && slot <= to);
      };
      return withServer(urlOf(address, host), asking, async (client) => {
        refuseUnfit(await loadedInfo(client, asking.wait));
        await tryEverything(client, isHeld);
        const at = `${host.host}:${host.port}`;
        const settings = (await warningsOf(client, COVERAGE)).map((text) => `${text} at ${at}`);
        return { settings, stance: await stanceOf(client, at) };
      });
    }),
  );
  const standBy = await Promise.allSettled(
    replicas.map((host) =>
      withServer(urlOf(address, host), asking, (client) => stanceOf(client, `${host.host}:${host.port}`)),
    ),
  );
  const tooOld = standBy.find(({ reason }) => reason?.message.includes('is the oldest that will do'));
  if (tooOld) throw tooOld.reason;
  const stances = [...warnings.map(({ stance }) => stance), ...standBy.flatMap(({ value }) => value ?? [])];
  refuseMixedPolicies(stances, asking.variable, asking.unset);
  const few =
    found.length < LEAST_PRIMARIES
      ? [
          `the cluster has ${found.length} primaries, should have ${LEAST_PRIMARIES}: with fewer none is replaced`,
        ]
      : [];
  return [...few, ...away.map(({ message }) => message), ...warnings.flatMap(({ settings }) => settings)];
}

/** Refuses an address that names nodes of two clusters: the shop would open on the one that answers first. */
function refuseOthers(views, { variable, unset }) {
  const [first, ...rest] = views;
  const other = rest.find(({ ids }) => !ids.some((id) => first.ids.includes(id)));
  if (!other) return;
  const [one, two] = [first, other].map(({ host }) => `${host.host}:${host.port}`);
  throw new Problem(
    `${variable} names servers of two clusters, ${one} and ${two}: leave those of one, or ${unset}.`,
  );
}

/** Asks a node of the cluster for all nodes, if the cluster is whole. */
async function findNodes(client) {
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
  const replicas = new Map();
  for (const [from, to, [host, port], ...others] of await client.cluster('SLOTS')) {
    for (const [name, at, id] of others) replicas.set(id, { host: name, port: at });
    const known = primaries.get(`${host}:${port}`) ?? { host, port, ranges: [] };
    known.ranges.push([from, to]);
    primaries.set(`${host}:${port}`, known);
  }
  const lines = String(await client.cluster('NODES'))
    .trim()
    .split('\n');
  const ids = lines.map((line) => line.split(' ')[0]);
  // Replicas that have reported no offset yet are not among the slots.
  for (const line of lines) {
    const [, id, host, port] = /^(\S+) ([^ @]+):(\d+)@\S* (?:myself,)?slave /.exec(line) ?? [];
    if (id && !replicas.has(id)) replicas.set(id, { host, port: Number(port) });
  }
  return { primaries: [...primaries.values()], replicas: [...replicas.values()], ids };
}
