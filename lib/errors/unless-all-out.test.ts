import { expect, it } from 'vitest';
import { unlessAllOut } from './unless-all-out';

const away = () => Promise.reject(new Error('Connection is closed.'));

it('[K1] one server that is away fails no read of the others', async () => {
  expect(await unlessAllOut([Promise.resolve(1), away(), Promise.resolve(3)], null)).toEqual([1, null, 3]);
  expect(await unlessAllOut([], null)).toEqual([]);
});

it('[K1] an outage of all is one, and a bug is never taken for one', async () => {
  await expect(unlessAllOut([away(), away()], null)).rejects.toThrow('Connection is closed.');
  await expect(
    unlessAllOut([Promise.resolve(1), Promise.reject(new TypeError('bug'))], null),
  ).rejects.toThrow('bug');
});
