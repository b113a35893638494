import pLimit from 'p-limit';
import { type Client, createClient } from '@/tools/harness/client';
import type { Scene } from './run-attack';

/** People and a farm that compete for the same units. */
export type Sides = {
  humans: number;
  /** Accounts of the farm for each person. */
  botsPerHuman: number;
  devices: number;
  addresses: number;
};

/**
 * `shared`: few devices, each with many accounts. `own`: a cookie jar for each account. `mixed`: half and half.
 */
export type Jars = 'shared' | 'own' | 'mixed';

/** Accounts that never ask for anything themselves. */
const ABSENT = 20;

/**
 * Signs in people, each on a device and an address of their own, and a farm with few of both. All accounts are new, which
 * is hardest for the people.
 */
export async function recruitSides(
  { recruitUsers, random, origins, newAddress }: Scene,
  { humans, botsPerHuman, devices, addresses }: Sides,
  jars: Jars,
): Promise<{ humans: Client[]; bots: Client[]; outsiders: Client[]; absent: string[] }> {
  const ids = await recruitUsers(humans * (1 + botsPerHuman) + 2 * ABSENT);
  const client = (userId: string, address: string, jar: Client['jar']) =>
    createClient({ userId, origin: random.pick(origins), address, jar });
  // Each session is a row: few at once, so that a busy machine does not run out of connections.
  const limit = pLimit(6);
  const alone = (userIds: readonly string[]) =>
    Promise.all(userIds.map((userId) => limit(() => client(userId, newAddress(), { device: '' }))));
  const behind = Array.from({ length: addresses }, newAddress);
  const shared = Array.from({ length: devices }, () => ({ device: '' }));
  const farm = ids.slice(humans, -2 * ABSENT);
  const bots = await Promise.all(
    farm.map((userId, at) => {
      const isOwn = jars === 'own' || (jars === 'mixed' && at % 2 === 1);
      const jar = isOwn ? { device: '' } : (shared[at % devices] ?? { device: '' });
      return limit(() => client(userId, behind[at % addresses] ?? '', jar));
    }),
  );
  return {
    humans: await alone(ids.slice(0, humans)),
    bots,
    outsiders: await alone(ids.slice(-2 * ABSENT, -ABSENT)),
    absent: ids.slice(-ABSENT),
  };
}
