import { isOutage } from './is-outage';

/**
 * Waits for reads of the same kind that may go to several servers. A server that is away must not fail the others' reads.
 * @returns what was read, in order; `instead` where a server is away
 * @throws the first outage if every read met one, and any error that is none
 */
export async function unlessAllOut<T, U>(reads: readonly Promise<T>[], instead: U): Promise<(T | U)[]> {
  const settled = await Promise.allSettled(reads);
  const failed = settled.filter((read) => read.status === 'rejected');
  const bug = failed.find(({ reason }) => !isOutage(reason));
  const thrown = bug ?? (failed.length === settled.length ? failed[0] : undefined);
  if (thrown) throw thrown.reason;
  return settled.map((read) => (read.status === 'fulfilled' ? read.value : instead));
}
