import { expect, it } from 'vitest';
import { render } from './render';

it('[G4] draws two at a time, lets 64 wait, and refuses more without drawing', async () => {
  let finish = () => {};
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let drawn = 0;
  const draw = () => held.then(() => ++drawn);
  const asked = Array.from({ length: 70 }, () => render(draw));
  expect(await Promise.all(asked.slice(66))).toEqual([null, null, null, null]);
  finish();
  expect((await Promise.all(asked.slice(0, 66))).every((answer) => answer !== null)).toBe(true);
  expect(drawn).toBe(66);
  expect(await render(draw)).toBe(67);
});
