import type { Redis } from 'ioredis';
import { until } from '../until';

const SLOTS = 16_384;

type Port = { own: number; bus: number };

/** Returns the first slot of each primary, and the end. */
export const slotBounds = (primaries: number): number[] =>
  Array.from({ length: primaries + 1 }, (_, n) => Math.floor((n * SLOTS) / primaries));

/**
 * Makes a cluster of servers on this machine: the first half hold the slots, the others follow one each.
 * @param admins a plain connection to each @param ports at which the servers find each other
 * @returns the servers' ids. @throws Error if they have not formed one within a minute
 */
export async function formCluster(admins: readonly Redis[], ports: readonly Port[]): Promise<string[]> {
  const primaries = admins.length / 2;
  const bounds = slotBounds(primaries);
  const ids = await Promise.all(admins.map((one) => one.cluster('MYID') as Promise<string>));
  await Promise.all(
    admins
      .slice(0, primaries)
      .map((one, i) => one.cluster('ADDSLOTSRANGE', bounds[i] ?? 0, (bounds[i + 1] ?? SLOTS) - 1)),
  );
  // Each needs an epoch of its own, or two primaries argue about who is right.
  await Promise.all(admins.map((one, i) => one.cluster('SET-CONFIG-EPOCH', i + 1)));
  for (const { own, bus } of ports.slice(1)) await admins[0]?.call('CLUSTER', 'MEET', '127.0.0.1', own, bus);
  const infos = () => Promise.all(admins.map((one) => one.cluster('INFO') as Promise<string>));
  await until('all nodes know each other', async () =>
    (await infos()).every((text) => text.includes(`cluster_known_nodes:${admins.length}`)),
  );
  for (const [at, one] of admins.slice(primaries).entries()) {
    await until(`node ${at + primaries} follows`, () =>
      one.cluster('REPLICATE', ids[at] ?? '').then(
        () => true,
        () => false,
      ),
    );
  }
  await until('the cluster is formed', async () => {
    const links = await Promise.all(admins.slice(primaries).map((one) => one.info('replication')));
    return (
      (await infos()).every(
        (text) => text.includes('cluster_state:ok') && text.includes(`cluster_size:${primaries}`),
      ) && links.every((text) => text.includes('master_link_status:up'))
    );
  });
  return ids;
}
