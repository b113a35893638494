import 'server-only';
import { parseRedisUrl } from '@/lib/redis-address.mjs';
import { askRedis } from './ask-redis';
import { createLagMeter, type LagMeter } from './lag-meter';
import { givenServers, type NamedServer, nameServers } from './name-redis';
import { parseInfo, type ServerInfo } from './parse-nodes';
import type { RedisNode, RedisServers, RedisStore } from './types';

/**
 * Makes a reader of the servers that an address names: of a cluster all nodes; behind Sentinels these, the primary and its
 * replicas; else the server, and the replicas it lists. It asks each of them (but those a single server lists: they may be
 * out of reach), and never throws: what was known before stands while nobody says otherwise.
 */
export function createRedisReader(store: RedisStore, url: string): () => Promise<RedisServers> {
  const address = parseRedisUrl(url);
  const meters = new Map<string, LagMeter>();
  let named: readonly NamedServer[] = givenServers(address);

  const infoOf = async ({ node }: NamedServer): Promise<ServerInfo | null> => {
    const text = await askRedis({ node, address }, 'INFO', 'replication', 'memory');
    return typeof text === 'string' ? parseInfo(text) : null;
  };
  const readPrimary = async (server: NamedServer): Promise<[RedisNode[], number | null]> => {
    const said = await infoOf(server);
    if (said?.isPrimary) meterOf(meters, server.node).note(said.offset, performance.now());
    // Its own word comes first: another node of a cluster may not know yet whom it follows.
    const role = said ? (said.isPrimary ? 'primary' : 'replica') : server.role;
    const own = asked(store, { ...server, role }, said);
    if (address.kind !== 'single' || !said) return [[own], said?.offset ?? null];
    const listed = said.replicas.map(({ node, isInStep, offset }) => {
      const replica = plain(store, { ...server, node, role: 'replica' }, isInStep);
      return isInStep ? behind(replica, server.node, offset, said.offset) : replica;
    });
    return [[own, ...listed], said.offset];
  };
  const readReplica = async (server: NamedServer, reached: number | null): Promise<RedisNode> => {
    const said = await infoOf(server);
    const own = asked(store, server, said);
    return said && server.follows ? behind(own, server.follows, said.offset, reached) : own;
  };
  const behind = (replica: RedisNode, primary: string, place: number, reached: number | null): RedisNode => ({
    ...replica,
    lagMs: meterOf(meters, primary).lagOf(place, performance.now()),
    behindBytes: reached === null ? null : Math.max(0, reached - place),
  });

  return async () => {
    named = await nameServers(address, named);
    const [sentinels, replicas] = (['sentinel', 'replica'] as const).map((role) =>
      named.filter((one) => one.role === role),
    ) as [NamedServer[], NamedServer[]];
    const primaries = named.filter(({ role }) => role === 'primary' || role === 'unknown');
    // These first: a replica that has what they had then is not behind.
    const first = await Promise.all(primaries.map(readPrimary));
    const reached = new Map(primaries.map(({ node }, at) => [node, first[at]?.[1] ?? null]));
    const rest = await Promise.all([
      ...replicas.map((one) => readReplica(one, reached.get(one.follows ?? '') ?? null)),
      ...sentinels.map(async (one) =>
        plain(store, one, (await askRedis({ node: one.node, address, isSentinel: true }, 'PING')) !== null),
      ),
    ]);
    const covered = primaries.reduce(
      (sum, { node, slots }) => sum + (reached.get(node) === null ? 0 : slots),
      0,
    );
    return {
      store,
      nodes: [...first.flatMap(([nodes]) => nodes), ...rest],
      slotsCovered: address.kind === 'cluster' ? covered : null,
    };
  };
}

const plain = (store: RedisStore, { node, role }: NamedServer, isUp: boolean): RedisNode => ({
  store,
  node,
  role,
  isUp,
  lagMs: null,
  behindBytes: null,
  memoryShare: null,
});

const asked = (store: RedisStore, server: NamedServer, said: ServerInfo | null): RedisNode => ({
  ...plain(store, server, said !== null),
  memoryShare: said?.memoryShare ?? null,
});

function meterOf(meters: Map<string, LagMeter>, primary: string): LagMeter {
  const known = meters.get(primary) ?? createLagMeter();
  meters.set(primary, known);
  return known;
}
