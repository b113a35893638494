import 'server-only';
import type { parseRedisUrl } from '@/lib/redis-address.mjs';
import { askRedis } from './ask-redis';
import { type ClusterNode, parseClusterNodes } from './parse-nodes';
import type { RedisRole } from './types';

type Address = ReturnType<typeof parseRedisUrl>;

/** A server as the others see it. `follows`: the primary of a replica. */
export type NamedServer = { node: string; role: RedisRole; slots: number; follows: string | null };

/** Returns the servers that an address names itself. */
export const givenServers = ({ hosts, kind }: Address): NamedServer[] =>
  hosts.map(({ host, port }) => ({
    node: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    role: kind === 'sentinel' ? 'sentinel' : 'unknown',
    slots: 0,
    follows: null,
  }));

/**
 * Asks a cluster, or Sentinels, which servers there are.
 * @param known those that were there before
 * @returns `known` if nobody says
 */
export async function nameServers(
  address: Address,
  known: readonly NamedServer[],
): Promise<readonly NamedServer[]> {
  if (address.kind === 'single') return known;
  const named = address.kind === 'cluster' ? await nameNodes(address, known) : await nameWatched(address);
  return named ?? known;
}

async function nameNodes(address: Address, known: readonly NamedServer[]): Promise<NamedServer[] | null> {
  const views = await Promise.all(
    known.map(async ({ node }) => {
      const text = await askRedis({ node, address }, 'CLUSTER', 'NODES');
      return typeof text === 'string' ? parseClusterNodes(text) : [];
    }),
  );
  const epochOf = (view: readonly ClusterNode[]) => Math.max(-1, ...view.map(({ epoch }) => epoch));
  // A node that was away for a while may tell the past.
  const newest = views.reduce((best, view) => (epochOf(view) > epochOf(best) ? view : best), []);
  if (newest.length === 0) return null;
  const byId = new Map(newest.map(({ id, node }) => [id, node]));
  return newest.map(({ node, isPrimary, primaryId, slots }) => ({
    node,
    slots,
    role: isPrimary ? 'primary' : 'replica',
    follows: byId.get(primaryId) ?? null,
  }));
}

async function nameWatched(address: Address): Promise<NamedServer[] | null> {
  const sentinels = givenServers(address);
  for (const { node } of sentinels) {
    const ask = (...words: [string, string]) =>
      askRedis({ node, address, isSentinel: true }, 'SENTINEL', ...words);
    const [primary, replicas] = await Promise.all([
      ask('GET-MASTER-ADDR-BY-NAME', address.masterName),
      ask('REPLICAS', address.masterName),
    ]);
    if (!Array.isArray(primary) || !Array.isArray(replicas)) continue;
    const main = primary.join(':');
    const others = replicas.map(addressOf).filter((name) => name !== main);
    return [
      { node: main, role: 'primary', slots: 0, follows: null },
      ...others.map((name): NamedServer => ({ node: name, role: 'replica', slots: 0, follows: main })),
      ...sentinels,
    ];
  }
  return null;
}

/** Reads a replica's address from the list of names and values that a Sentinel gives. */
function addressOf(fields: unknown): string {
  const list = Array.isArray(fields) ? fields : [];
  const of = (name: string) => String(list[list.indexOf(name) + 1] ?? '');
  return `${of('ip')}:${of('port')}`;
}
