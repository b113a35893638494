import { Command, Redis } from 'ioredis';
import { findRedis } from '../../../scripts/infra/find-server.mjs';
import { anyFreePort } from '../../../scripts/infra/ports.mjs';
import { until } from '../until';
import { formCluster } from './form-cluster';
import { openGate } from './gate';
import { launchRedis } from './launch-stores';
import type { Workspace } from './open-workspace';
import { createPart, type Part } from './part';

const PRIMARIES = 3;
const NODE_TIMEOUT_MS = 2_000;

/** A Redis cluster of three primaries with a replica each, every server a part of its own. */
export type ClusterParts = {
  /** `redis-1` …: the first three are the primaries at first. */
  parts: readonly Part[];
  url: string;
  /** Makes a cluster of the started servers. */
  form(): Promise<void>;
  /** Returns the server that holds a key now, its replica, and the primaries of other slots. */
  rolesOf(key: string): Promise<{ primary: Part; replica: Part; others: Part[] }>;
  /** Cuts a server off from all others; clients still reach it, and each server the clients. */
  isolate(part: Part): void;
  rejoin(): void;
  /** Waits until every server is there and every replica follows its primary. @throws Error after a minute */
  settled(): Promise<void>;
  stop(): Promise<void>;
};

/** As `CLUSTER SLOTS` names it. */
type Server = [host: string, port: number];

type Options = { workspace: Workspace; crashOf: (name: string) => (how: string) => void };

/**
 * Creates the servers of a cluster. They find each other through gates, and each comes from an address of its own, so
 * that one can be cut off from the others (Linux: all of 127.0.0.0/8 is this machine).
 */
export async function createCluster({ workspace, crashOf }: Options): Promise<ClusterParts> {
  const binary = findRedis();
  const isolated = new Set<string>();
  const nodes = await Promise.all(
    Array.from({ length: 2 * PRIMARIES }, async (_, at) => {
      const [name, source] = [`redis-${at + 1}`, `127.0.0.${at + 11}`];
      const ports = { own: await anyFreePort(), bus: await anyFreePort() };
      const isAway = (from: string) =>
        from !== '127.0.0.1' && (isolated.has(source) || isolated.has(from)) && from !== source;
      const [client, bus] = [
        await openGate(() => ports.own, isAway),
        await openGate(() => ports.bus, isAway),
      ];
      const part = createPart({
        name,
        onCrash: crashOf(name),
        async launch(onSpawn) {
          await launchRedis({
            workspace,
            port: ports.own,
            binary,
            name,
            onSpawn,
            settings: {
              'bind-source-addr': source,
              'cluster-enabled': 'yes',
              'cluster-port': ports.bus,
              'cluster-node-timeout': NODE_TIMEOUT_MS,
              'cluster-announce-ip': '127.0.0.1',
              'cluster-announce-port': client.port,
              'cluster-announce-bus-port': bus.port,
              'cluster-require-full-coverage': 'no',
              'cluster-allow-replica-migration': 'no',
              'repl-diskless-sync-delay': 0,
            },
          });
        },
      });
      const admin = new Redis(ports.own, {
        lazyConnect: true,
        commandTimeout: 2_000,
        maxRetriesPerRequest: 1,
        retryStrategy: () => 100,
      }).on('error', () => {});
      return { part, source, client, bus, admin };
    }),
  );
  const apply = () => {
    for (const { client, bus } of nodes) for (const gate of [client, bus]) gate.apply();
  };
  const partAt = (port: number): Part | undefined => nodes.find(({ client }) => client.port === port)?.part;
  return {
    parts: nodes.map(({ part }) => part),
    url: `redis+cluster://${nodes.map(({ client }) => `127.0.0.1:${client.port}`).join(',')}`,
    async form() {
      await formCluster(
        nodes.map(({ admin }) => admin),
        nodes.map(({ client, bus }) => ({ own: client.port, bus: bus.port })),
      );
    },
    async rolesOf(key) {
      const slot = new Command('get', [key]).getSlot();
      for (const { admin } of nodes) {
        const told = (await admin.cluster('SLOTS').catch(() => [])) as [number, number, ...Server[]][];
        const shards = told.map(([from, to, ...servers]) => {
          const [primary, replica] = servers.map(([, port]) => partAt(port));
          return { isHot: from <= slot && slot <= to, primary, replica };
        });
        const { primary, replica } = shards.find(({ isHot }) => isHot) ?? {};
        const others = shards.flatMap((shard) => (shard.isHot ? [] : (shard.primary ?? [])));
        if (primary && replica) return { primary, replica, others };
      }
      throw new Error('no server of the cluster knows who holds the sale');
    },
    isolate(part) {
      const found = nodes.find((node) => node.part === part);
      if (found) isolated.add(found.source);
      apply();
    },
    rejoin() {
      isolated.clear();
      apply();
    },
    settled: () =>
      until('every server of the cluster is there', () => areSettled(nodes.map(({ admin }) => admin))),
    async stop() {
      for (const { admin } of nodes) admin.disconnect();
      await Promise.all(nodes.flatMap(({ client, bus }) => [client.stop(), bus.stop()]));
    },
  };
}

async function areSettled(admins: readonly Redis[]): Promise<boolean> {
  const told = await Promise.all(
    admins.map((admin) =>
      Promise.all([admin.cluster('INFO'), admin.cluster('NODES'), admin.info('replication')]),
    ),
  ).catch(() => []);
  const replicas = told.filter(([, , role]) => role.includes('role:slave'));
  return (
    told.length === admins.length &&
    told.every(([info, nodes]) => String(info).includes('cluster_state:ok') && !/fail/.test(String(nodes))) &&
    replicas.length === admins.length / 2 &&
    replicas.every(([, , role]) => role.includes('master_link_status:up'))
  );
}
