import { beforeAll, describe, expect, it } from 'vitest';
import { testEnv } from '@/test/support/test-env';
import { readTurn, spendTurn, writeTurn } from './turn-cookie';

const EMAIL = 'ann@example.com';
const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const cookieOf = (header: string) => header.split(';', 1)[0] ?? '';

beforeAll(() => {
  Object.assign(process.env, testEnv);
});

describe('[N4] a place in the password queue', () => {
  it('is kept for whoever was told to come back, for twenty minutes', () => {
    const header = writeTurn(EMAIL, NOW);
    expect(header).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(header).not.toContain('ann');
    expect(readTurn(cookieOf(header), EMAIL, NOW + MINUTE_MS)).toBe(NOW);
    expect(readTurn(cookieOf(header), EMAIL, NOW + 21 * MINUTE_MS)).toBeNull();
  });

  it('is nobody else’s, and nobody can make one', () => {
    const cookie = cookieOf(writeTurn(EMAIL, NOW));
    expect(readTurn(cookie, 'ben@example.com', NOW)).toBeNull();
    expect(readTurn(cookie.replace(String(NOW), String(NOW - 1)), EMAIL, NOW)).toBeNull();
    expect(readTurn(`${cookie.slice(0, -1)}_`, EMAIL, NOW)).toBeNull();
    expect(readTurn(cookie, EMAIL, NOW - 1)).toBeNull();
    for (const header of [null, '', 'seckill-turn=', 'seckill-turn=x.y'])
      expect(readTurn(header, EMAIL)).toBeNull();
  });

  it('is good for one turn, however many were collected before it', () => {
    const cookies = [0, 1, 2].map((n) => cookieOf(writeTurn('cat@example.com', NOW + n)));
    const read = () => cookies.map((cookie) => readTurn(cookie, 'cat@example.com', NOW + 10));
    expect(read()).toEqual([NOW, NOW + 1, NOW + 2]);
    spendTurn('cat@example.com', NOW + 1);
    expect(read()).toEqual([null, null, NOW + 2]);
  });
});
