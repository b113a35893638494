import { expect, it } from 'vitest';
import { moved } from './moved';

it('[O1 O3 O5] a row moves by one place, and no further than an end', () => {
  const list = ['a', 'b', 'c'];
  expect(moved(list, 0, 1)).toEqual(['b', 'a', 'c']);
  expect(moved(list, 2, -1)).toEqual(['a', 'c', 'b']);
  for (const [index, by] of [
    [0, -1],
    [2, 1],
    [3, -1],
    [-1, 1],
  ] as const)
    expect(moved(list, index, by), `${index} by ${by}`).toEqual(list);
});
