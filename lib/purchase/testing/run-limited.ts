/** Runs tasks in order, `width` at a time; throws the first failure after all have ended. */
export async function runLimited<T>(tasks: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lanes = Array.from({ length: width }, async () => {
    for (let at = next++; at < tasks.length; at = next++) {
      const task = tasks[at];
      if (task) results[at] = await task();
    }
  });
  for (const lane of await Promise.allSettled(lanes)) if (lane.status === 'rejected') throw lane.reason;
  return results;
}
