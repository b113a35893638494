import { describe, expect, it } from 'vitest';
import { stateCacheControl } from './state-cache-control';

const startsAt = 1_000_000;
const endsAt = 2_000_000;
const at = (serverTime: number) => stateCacheControl({ serverTime, startsAt, endsAt });

describe('stateCacheControl', () => {
  it('[A3] lets caches keep the state for a second, well before, during and after the sale', () => {
    expect([at(startsAt - 7001), at(startsAt), at(endsAt - 7001), at(endsAt)]).toEqual(
      Array(4).fill('public, max-age=1, stale-if-error=5'),
    );
  });

  it('[A3] no longer than that, even if nobody answers, where the start or the end is near', () => {
    expect([at(startsAt - 7000), at(startsAt - 2001), at(endsAt - 7000), at(endsAt - 2001)]).toEqual(
      Array(4).fill('public, max-age=1'),
    );
  });

  it('[A3] never across the start or the end, also of a cache that counts in whole seconds', () => {
    expect([at(startsAt - 2000), at(startsAt - 1), at(endsAt - 2000), at(endsAt - 1)]).toEqual(
      Array(4).fill('no-store'),
    );
  });
});
