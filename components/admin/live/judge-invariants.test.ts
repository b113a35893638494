import { describe, expect, it } from 'vitest';
import { judgeInvariants } from './judge-invariants';

const all = (ok: boolean) => ([1, 2, 3] as const).map((id) => ({ id, ok, detail: '', statements: [] }));
const states = (...given: Parameters<typeof judgeInvariants>) =>
  judgeInvariants(...given).marks.map(({ state }) => state);

describe('the strip of invariants', () => {
  it('[J5] is green only while they were recomputed just now', () => {
    expect(judgeInvariants(all(true), 1_000_000, 1_005_000).summary).toBe('holds');
    expect(judgeInvariants(all(true), 1_000_000, 1_100_000).summary).toBe('old');
    expect(states(all(true), 1_000_000, 1_100_000)).toEqual(['old', 'old', 'old']);
    expect(judgeInvariants(all(true), null, 1_000_000).summary).toBe('old');
  });

  it('[J5] stays red until one that was broken is known to hold', () => {
    const one = [{ id: 1 as const, ok: false, detail: 'off by 1', statements: [] }, ...all(true).slice(1)];
    expect(states(one, 1_000_000, 1_001_000)).toEqual(['broken', 'holds', 'holds']);
    expect(judgeInvariants(one, 1_000_000, 2_000_000).summary).toBe('broken');
  });

  it('[J5] claims nothing where nothing was checked', () => {
    expect(judgeInvariants([], null, 1).summary).toBe('none');
  });
});
