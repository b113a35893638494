import { Cluster, Redis } from 'ioredis';
import { keys } from '../../lib/redis/keys';
import { parseRedisUrl } from '../../lib/redis-address.mjs';
import { solve } from '../../test/support/solve-challenge';
import type { Answer } from './client';
import { setting } from './commands';

type Owner = Parameters<typeof keys.challenge>[0];
type Task = Parameters<typeof solve>[0] & { challengeId: string };
type Secret = Parameters<typeof solve>[1];

/** Reads the part of a challenge that only the shop knows. */
export async function readSecret(owner: Owner, challengeId: string): Promise<Secret> {
  const url = setting('REDIS_URL');
  const { kind, hosts } = parseRedisUrl(url);
  const redis = kind === 'cluster' ? new Cluster(hosts) : new Redis(url);
  try {
    const kept = await redis.get(keys.challenge(owner, challengeId));
    if (kept === null) throw new Error(`${challengeId} is not there`);
    return JSON.parse(kept) as Secret;
  } finally {
    redis.disconnect();
  }
}

/** Returns the right answer to a challenge that was just given. */
export async function solveGiven(owner: Owner, { body }: Pick<Answer, 'body'>) {
  const task = body as unknown as Task;
  const { challengeId } = task;
  return { challengeId, answer: await solve(task, await readSecret(owner, challengeId)) };
}
