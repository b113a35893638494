import { expect, it } from 'vitest';
import { readPages } from './read-pages';

it('[L3] a list is read to its end, or as far as anybody chooses from', async () => {
  const asked: (string | undefined)[] = [];
  const pagesOf = (last: number) => async (cursor: string | undefined) => {
    asked.push(cursor);
    const page = Number(cursor ?? 0);
    return { page, nextCursor: page === last ? null : String(page + 1) };
  };
  expect((await readPages(pagesOf(2))).map(({ page }) => page)).toEqual([0, 1, 2]);
  expect(asked).toEqual([undefined, '1', '2']);
  expect(await readPages(pagesOf(1_000))).toHaveLength(20);
});
