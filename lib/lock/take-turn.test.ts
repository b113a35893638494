import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { takeTurn } from './take-turn';

/** Starts work that lasts until the test ends it. */
function open() {
  let end = () => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => promise, end };
}

describe('takeTurn', () => {
  it('[C2 C3] lets as many work as told, the others wait in the order they came', async () => {
    const options = { atOnce: 2, maxWaiting: 10, maxWaitMs: 50_000 };
    let working = 0;
    let most = 0;
    const order: number[] = [];
    const turns = Array.from({ length: 10 }, (_, i) =>
      takeTurn('order', options, async () => {
        working += 1;
        most = Math.max(most, working);
        order.push(i);
        await delay(1);
        working -= 1;
      }),
    );
    expect((await Promise.all(turns)).every(({ status }) => status === 'done')).toBe(true);
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('[C2 C3] turns away whoever finds the queue full, at once, and whoever waited too long', async () => {
    const first = open();
    const options = { atOnce: 1, maxWaiting: 1, maxWaitMs: 500 };
    const held = takeTurn('full', options, first.work);
    const waiting = takeTurn('full', options, async () => 'never');
    const order: string[] = [];
    void waiting.then(() => order.push('waited'));
    expect(await takeTurn('full', options, async () => 'never')).toEqual({ status: 'turned_away' });
    expect(order).toEqual([]);
    expect(await waiting).toEqual({ status: 'turned_away' });
    first.end();
    expect(await held).toMatchObject({ status: 'done' });
    expect(await takeTurn('full', options, async () => 1)).toEqual({ status: 'done', value: 1 });
  });

  it('[C2 C3] a failure ends the turn, and names do not wait for each other', async () => {
    const options = { atOnce: 1, maxWaiting: 1, maxWaitMs: 1_000 };
    const other = open();
    const elsewhere = takeTurn('other', options, other.work);
    await expect(takeTurn('fails', options, () => Promise.reject(new Error('broken')))).rejects.toThrow();
    expect(await takeTurn('fails', options, async () => 1)).toEqual({ status: 'done', value: 1 });
    other.end();
    await elsewhere;
  });
});
