import { expect, it } from 'vitest';
import { createTurns } from './turns';

it('[M4] asks an address that failed or was slow again after ten seconds, and others at once', async () => {
  let now = 0;
  const { take } = createTurns(() => now);
  const fail = () => Promise.reject(new Error('dead'));
  const work = () => Promise.resolve();
  await expect(take('a', 'dead.example', fail)).rejects.toThrow('dead');
  await expect(take('a', 'dead.example', work)).rejects.toThrow('rests');
  await take('b', 'live.example', work);
  now = 10_000;
  await take('a', 'dead.example', async () => {
    now += 1_000;
  });
  await expect(take('a', 'dead.example', work)).rejects.toThrow('rests');
  now += 10_000;
  await take('a', 'dead.example', work);
});

it('[M4] asks one address once at a time, and one host twice', async () => {
  const { take } = createTurns();
  let release = () => {};
  const hold = new Promise<void>((done) => {
    release = done;
  });
  const held = ['a', 'b'].map((saleId) => take(saleId, 'one.example', () => hold));
  await expect(take('a', 'two.example', async () => {})).rejects.toThrow('being asked');
  await expect(take('c', 'one.example', async () => {})).rejects.toThrow('being asked');
  await take('c', 'two.example', async () => {});
  release();
  await Promise.all(held);
  await take('c', 'one.example', async () => {});
});
