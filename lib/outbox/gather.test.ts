import { expect, it } from 'vitest';
import { gather } from './gather';

it('[E2] ids that come while a call is under way share the next one', async () => {
  const calls: string[][] = [];
  let finish = () => {};
  const note = gather<string>((ids) => {
    calls.push([...ids]);
    return new Promise((resolve) => (finish = resolve));
  });
  const first = note('1');
  await expect.poll(() => calls).toEqual([['1']]);
  const others = ['2', '3', '4'].map(note);
  finish();
  await first;
  await expect.poll(() => calls).toEqual([['1'], ['2', '3', '4']]);
  finish();
  await Promise.all(others);
});

it('[E5] a call that fails tells those that share it, and the next one goes on', async () => {
  const calls: string[][] = [];
  const note = gather<string>(async (ids) => {
    calls.push([...ids]);
    if (ids.includes('bad')) throw new Error('away');
  });
  const failed = await Promise.allSettled(['1', 'bad'].map(note));
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await note('2');
  expect(calls).toEqual([['1', 'bad'], ['2']]);
});
