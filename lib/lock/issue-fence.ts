import 'server-only';
import type { RedisConnection } from '@/lib/redis/connection';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';

/**
 * Issues a fencing token to the holder of a lock, in the order of holders; null if this owner no longer holds the lock
 * (Kleppmann, "How to do distributed locking", 2016). With several nodes, the highest counter becomes the token, and a
 * majority is raised to it before use: the token always rises, although one counter may not (decision 009).
 * @throws connection errors, with one node.
 */
export async function issueFence(
  nodes: readonly RedisConnection[],
  name: string,
  owner: string,
): Promise<number | null> {
  if (nodes.length === 1) return Math.max(0, ...(await askAll(nodes, name, owner, 0, true))) || null;
  const quorum = Math.floor(nodes.length / 2) + 1;
  const counted = await askAll(nodes, name, owner, 0);
  if (counted.length < quorum) return null;
  const fence = Math.max(...counted);
  const raised = await askAll(nodes, name, owner, fence);
  return raised.length < quorum ? null : fence;
}

/** Returns the tokens of the nodes that answered and where the lock is ours. */
async function askAll(
  nodes: readonly RedisConnection[],
  name: string,
  owner: string,
  atLeast: number,
  isStrict = false,
): Promise<number[]> {
  const answers = await Promise.all(
    nodes.map((node) =>
      ask(node, name, owner, atLeast).catch((error: unknown) => {
        if (isStrict) throw error;
        return null;
      }),
    ),
  );
  return answers.filter((fence) => fence !== null);
}

async function ask(
  node: RedisConnection,
  name: string,
  owner: string,
  atLeast: number,
): Promise<number | null> {
  const [status, fence] = await runScript(
    node,
    'issue-fence-2',
    [keys.lockHolder(name), keys.lockFence(name)],
    [owner, atLeast],
  );
  if (status === 'not_held') return null;
  if (status === 'issued') return Number(fence);
  throw new Error(`issue-fence-2 answered ${status}`);
}
