import { describe, expect, it } from 'vitest';
import { closeGrant, createGrant, endPurchase, raiseGrant, takeGranted, wantedGrant } from './grant';

const granted = (units: number) => {
  const grant = createGrant(1);
  raiseGrant(grant, units);
  return grant;
};

describe('a grant', () => {
  it('[J4] gives no more than was granted, and what surely was not sold again', async () => {
    const grant = granted(3);
    expect(await takeGranted(grant, 2, 0)).toBe(true);
    expect(await takeGranted(grant, 2, 0)).toBe(false);
    expect(await takeGranted(grant, 1, 0)).toBe(true);
    expect(grant).toMatchObject({ taken: 3, underWay: 2 });
    endPurchase(grant, 1);
    expect(await takeGranted(grant, 1, 0)).toBe(true);
    // Sold, or not known: stays counted.
    endPurchase(grant, 0);
    expect(await takeGranted(grant, 1, 0)).toBe(false);
    expect(grant).toMatchObject({ taken: 3, underWay: 1 });
  });

  it('[J4] who waits is served in the order of asking, by what is granted or comes back', async () => {
    const grant = granted(1);
    const [first, second, third] = [2, 1, 1].map((units) => takeGranted(grant, units, 60_000));
    const order: number[] = [];
    first?.then(() => order.push(1));
    second?.then(() => order.push(2));
    raiseGrant(grant, 3);
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(order).toEqual([1, 2]);
    endPurchase(grant, 1);
    expect(await third).toBe(true);
    expect(grant.taken).toBe(3);
  });

  it('[J4] that is closed turns everybody away, and still takes back', async () => {
    const grant = granted(1);
    expect(await takeGranted(grant, 1, 0)).toBe(true);
    const waiting = takeGranted(grant, 1, 60_000);
    closeGrant(grant);
    expect(await waiting).toBe(false);
    raiseGrant(grant, 10);
    expect(await takeGranted(grant, 1, 60_000)).toBe(false);
    endPurchase(grant, 1);
    expect(grant).toMatchObject({ taken: 0, underWay: 0 });
  });

  it.each([
    [-1, 1_000],
    [0, 10],
    [400, 20],
    [1_000_000, 1_000],
  ])('[J4] of a sale of %i asks for %i units ahead, when half of them are gone', async (total, ahead) => {
    const grant = createGrant(1);
    expect(wantedGrant(grant, total)).toBe(ahead);
    raiseGrant(grant, ahead);
    expect(wantedGrant(grant, total)).toBeNull();
    await takeGranted(grant, ahead / 2, 0);
    expect(wantedGrant(grant, total)).toBeNull();
    await takeGranted(grant, 1, 0);
    expect(wantedGrant(grant, total)).toBe(ahead / 2 + 1 + ahead);
    void takeGranted(grant, ahead, 60_000);
    expect(wantedGrant(grant, total)).toBe(ahead / 2 + 1 + ahead + ahead);
    closeGrant(grant);
  });
});
