import { describe, expect, it } from 'vitest';
import { stateCacheControl } from './state-cache-control';

const startsAt = 1_000_000;
const endsAt = 2_000_000;
const at = (serverTime: number) => stateCacheControl({ serverTime, startsAt, endsAt });

describe('stateCacheControl', () => {
  it('[A3] lets caches keep the state for a second, well before, during and after the sale', () => {
    expect([at(startsAt - 1001), at(startsAt), at(endsAt - 1001), at(endsAt)]).toEqual(
      Array(4).fill('public, max-age=1'),
    );
  });

  it('[A3] never across the start or the end', () => {
    expect([at(startsAt - 1000), at(startsAt - 1), at(endsAt - 1000), at(endsAt - 1)]).toEqual(
      Array(4).fill('no-store'),
    );
  });
});
