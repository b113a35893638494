import { afterEach, describe, expect, it, vi } from 'vitest';
import { newId } from '@/lib/ids/new-id';
import { eventually } from '@/test/support/eventually';
import { createIdFilter } from './id-filter';

const HOUR_MS = 3_600_000;
const oldId = () => newId('sale', Date.now() - HOUR_MS - Math.floor(Math.random() * HOUR_MS));

/** Makes a sorted table of ids that counts how often it was read. */
function table(ids: string[] = []) {
  const rows = [...ids].sort();
  const read = vi.fn(async (after: string, limit: number) => rows.filter((id) => id > after).slice(0, limit));
  const insert = (id: string) => {
    rows.push(id);
    rows.sort();
  };
  return { read, insert, filter: createIdFilter('sale', read) };
}

afterEach(() => void vi.useRealTimers());

describe('createIdFilter', () => {
  it('[B4] knows all ids of a large table after one pass that doubles its size, and asks no more', async () => {
    const ids = Array.from({ length: 45_000 }, oldId);
    const { filter, read } = table(ids);
    expect(await filter.mayExist(ids[0] ?? '')).toBe(true);
    const reads = read.mock.calls.length;
    expect(ids.filter((id) => filter.mayExist(id) !== true)).toEqual([]);
    expect(read.mock.calls.length).toBe(reads);
  });

  it('[B4] refuses old unknown ids and what is no id without reading', async () => {
    const { filter, read } = table([oldId()]);
    await filter.mayExist(oldId());
    read.mockClear();
    const passed = Array.from({ length: 100_000 }, oldId).filter((id) => filter.mayExist(id) !== false);
    // The rate is one in a million for a full filter, and this one is nearly empty.
    expect(passed).toEqual([]);
    for (const id of ['', "' OR 1=1", 'sale_', 'x'.repeat(10_000)]) expect(filter.mayExist(id)).toBe(false);
    expect(read).not.toHaveBeenCalled();
  });

  it('[B4] never refuses a new id, though nobody tells it', async () => {
    const { filter, insert } = table([oldId()]);
    await filter.mayExist(oldId());
    for (let i = 0; i < 5; i += 1) {
      const id = newId('sale');
      insert(id);
      expect(await filter.mayExist(id)).toBe(true);
    }
  });

  it('[B4] sees a row that a scan under way has already read past', async () => {
    const { filter, insert, read } = table([oldId()]);
    await filter.mayExist(oldId());
    let finish: () => void = () => undefined;
    const id = newId('sale');
    // This scan has read before the insert, and is slow to finish.
    read.mockImplementationOnce(async () => {
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return [];
    });
    const other = filter.mayExist(newId('sale'));
    await eventually(() => expect(read.mock.calls.length).toBe(2));
    insert(id);
    const asked = filter.mayExist(id);
    finish();
    expect(await other).toBe(false);
    expect(await asked).toBe(true);
  });

  it('[B4] thousands of invented young ids cost ten reads a second at most', async () => {
    const { filter, read } = table([oldId()]);
    await filter.mayExist(oldId());
    read.mockClear();
    const startedAt = performance.now();
    const answers: boolean[] = [];
    for (let i = 0; i < 20; i += 1) {
      answers.push(...(await Promise.all(Array.from({ length: 250 }, () => filter.mayExist(newId('sale'))))));
    }
    expect(answers).toHaveLength(5_000);
    expect(answers.every((answer) => answer === false)).toBe(true);
    expect(read.mock.calls.length).toBeLessThanOrEqual((performance.now() - startedAt) / 100 + 1);
  });

  it('[B4] lets everything pass while it can not be built, and is built once the table answers', async () => {
    const { filter, read } = table();
    read.mockRejectedValueOnce(new Error('down'));
    expect(await filter.mayExist(oldId())).toBe(true);
    expect(await filter.mayExist(oldId())).toBe(false);
  });
});
