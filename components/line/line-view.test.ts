import { describe, expect, it } from 'vitest';
import type { LineState, OwnPlace } from '@/lib/contract/shapes/line';
import { lineNews } from './line-news';
import { type LineInput, lineView, type Waiting } from './line-view';

const NOW = 1_795_000_000_000;
const line: LineState = {
  seedHash: '0'.repeat(64),
  shuffledWith: null,
  joined: 100,
  early: 60,
  admitted: 10,
  lapsed: 2,
  pace: { least: 6, most: 10 },
  reach: 50,
  held: false,
  closed: false,
  isAway: false,
};
const own: OwnPlace = {
  number: 30,
  variant: 0,
  place: 40,
  joinedAt: NOW,
  enteredAt: null,
  turnEndsAt: null,
  isOver: false,
  pseudonym: 'p',
  draw: null,
};
const base: LineInput = {
  now: NOW,
  startsAt: NOW - 60_000,
  entryOpensAt: NOW - 600_000,
  line,
  available: 20,
  session: 'signed_in',
  own,
  place: 40,
  isJoining: false,
  isChallenged: false,
  refusal: null,
};
const kind = (change: Partial<LineInput>) => lineView({ ...base, ...change }).kind;

describe('[M1] the waiting room', () => {
  it('tells the place, how many are in front, and how long it takes with its uncertainty', () => {
    expect(lineView(base)).toEqual({
      kind: 'waiting',
      place: 40,
      ahead: 30,
      wait: { from: 3, to: 6 },
      outlook: 'good',
      isHeld: false,
      isStale: false,
    });
    expect(lineView({ ...base, line: { ...line, pace: null } })).toMatchObject({ wait: null });
  });

  it('says plainly when waiting is of little use', () => {
    const outlook = (reach: number, available: number) =>
      (lineView({ ...base, available, line: { ...line, reach } }) as Waiting).outlook;
    expect([outlook(31, 31), outlook(31, 0), outlook(30, 10), outlook(-1, -1)]).toEqual([
      'good',
      'comeback',
      'unlikely',
      'good',
    ]);
  });

  it('leads from the way in to the turn', () => {
    const nobody = { own: null, place: null };
    expect(kind({ ...nobody, entryOpensAt: NOW + 1 })).toBe('soon');
    expect(kind({ ...nobody, session: 'signed_out' })).toBe('signIn');
    expect(kind({ ...nobody, own: undefined })).toBe('loading');
    expect(kind(nobody)).toBe('join');
    expect(kind({ ...nobody, isJoining: true })).toBe('joining');
    expect(kind({ ...nobody, isChallenged: true })).toBe('challenge');
    expect(kind({ ...nobody, refusal: 'PLACE_TAKEN' })).toBe('refused');
    expect(kind({ ...nobody, line: { ...line, closed: true } })).toBe('closed');
    const before = { line: { ...line, early: null }, place: null, own: { ...own, place: null } };
    expect(kind({ ...before, startsAt: NOW + 1 })).toBe('gathering');
    expect(kind(before)).toBe('shuffling');
    expect(kind({ place: 9 })).toBe('turn');
    expect(kind({ place: 1 })).toBe('over');
    expect(kind({ place: 1, own: { ...own, enteredAt: NOW - 1, turnEndsAt: NOW + 1 } })).toBe('turn');
    expect(kind({ place: 9, own: { ...own, enteredAt: NOW - 9, turnEndsAt: NOW } })).toBe('over');
  });

  it('knows when the shop can’t move the line', () => {
    expect(lineView({ ...base, line: { ...line, isAway: true } })).toMatchObject({
      kind: 'waiting',
      isStale: true,
    });
  });

  it('tells a screen reader what matters, and nothing twice', () => {
    const at = (ahead: number, more: Partial<LineState> = {}) =>
      lineView({ ...base, place: line.admitted + ahead, line: { ...line, reach: 1_000, ...more } });
    expect(lineNews(at(101), at(100))).toBe('near');
    expect(lineNews(at(100), at(60))).toBeNull();
    expect(lineNews(at(60), at(4))).toBe('next');
    expect(lineNews(at(4), lineView({ ...base, place: 9 }))).toBe('turn');
    expect(lineNews(at(30), at(30, { held: true }))).toBe('held');
    expect(lineNews(at(30), at(29))).toBeNull();
    expect(lineNews({ kind: 'loading' }, at(3))).toBeNull();
  });
});
