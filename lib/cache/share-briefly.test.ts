import { expect, it, vi } from 'vitest';
import { shareBriefly } from './share-briefly';

it('[B8] many who ask at once and shortly after share one read, per id', async () => {
  const load = vi.fn(async (id: string) => ({ id }));
  const read = shareBriefly(60_000, load);
  const found = await Promise.all(Array.from({ length: 100 }, (_, i) => read(i % 2 ? 'a' : 'b')));
  expect(found.map(({ id }) => id).sort()).toEqual([...Array(50).fill('a'), ...Array(50).fill('b')]);
  await read('a');
  expect(load).toHaveBeenCalledTimes(2);
});

it('[B8] reads again when it is too old', async () => {
  const load = vi.fn(async () => performance.now());
  const read = shareBriefly(20, load);
  const first = await read('a');
  await vi.waitFor(async () => expect(await read('a')).toBeGreaterThan(first), 10_000);
  expect(load).toHaveBeenCalledTimes(2);
});

it('keeps no failure', async () => {
  const load = vi.fn(async () => 1).mockRejectedValueOnce(new Error('down'));
  const read = shareBriefly(1_000, load);
  await expect(read('a')).rejects.toThrow('down');
  expect(await read('a')).toBe(1);
});
