/**
 * Calls `batch` until it deletes fewer rows than `size`, so that no transaction is long and none holds many locks.
 * @param batch deletes at most `size` rows, in one statement. @param most batches in one call; the next call goes on.
 * @returns how many rows went.
 */
export async function deleteInBatches(
  batch: () => Promise<number>,
  { size, most }: { size: number; most: number },
): Promise<number> {
  let deleted = 0;
  for (let round = 0; round < most; round += 1) {
    const count = await batch();
    deleted += count;
    if (count < size) break;
  }
  return deleted;
}
