import { beforeEach, describe, expect, it } from 'vitest';
import { noteEvent, returnEvents, type SecurityEvent, takeEvents } from './note-event';

const NOW = 1_800_000_000_000;
const failure = (n: number): SecurityEvent => ({
  action: 'session.refuse',
  actor: { userId: 'system', role: 'system' },
  subject: { kind: 'user', id: `user_${n}` },
  facts: { address: '203.0.113.1' },
});

beforeEach(() => void takeEvents(0, true));

describe('[N9] security events', () => {
  it('of one kind about one subject are one entry a minute, with how often', () => {
    for (let n = 0; n < 1_000; n += 1) noteEvent(failure(1), NOW + n);
    expect(takeEvents(NOW + 59_999)).toEqual([]);
    expect(takeEvents(NOW + 60_000)).toEqual([{ ...failure(1), count: 1_000, since: NOW, until: NOW + 999 }]);
    expect(takeEvents(NOW + 120_000)).toEqual([]);
  });

  it('of a flood are a hundred entries a minute, and one for the rest', () => {
    for (let n = 0; n < 5_000; n += 1) noteEvent(failure(n), NOW);
    const taken = takeEvents(NOW + 60_000);
    expect(taken).toHaveLength(101);
    expect(taken.at(-1)).toMatchObject({ subject: { kind: 'many' }, count: 4_900 });
  });

  it('that could not be written are written later, and none twice', () => {
    noteEvent(failure(1), NOW);
    const taken = takeEvents(NOW + 60_000);
    noteEvent(failure(1), NOW + 61_000);
    returnEvents(taken);
    expect(takeEvents(NOW + 61_000)).toEqual([{ ...failure(1), count: 2, since: NOW, until: NOW + 61_000 }]);
  });

  it('that could not be written are counted at least, where newer ones have taken their room', () => {
    for (let n = 0; n < 100; n += 1) noteEvent(failure(n), NOW);
    const taken = takeEvents(NOW + 60_000);
    for (let n = 0; n < 100; n += 1) noteEvent(failure(1_000 + n), NOW + 61_000);
    returnEvents(taken);
    const later = takeEvents(NOW + 180_000);
    expect(later.reduce((sum, { count }) => sum + count, 0)).toBe(200);
    expect(later.at(-1)).toMatchObject({ subject: { kind: 'many' }, count: 100, since: NOW });
  });

  it('of other kinds have room whatever floods', () => {
    for (let n = 0; n < 500; n += 1) noteEvent(failure(n), NOW);
    const start: SecurityEvent = { ...failure(7), action: 'session.start' };
    noteEvent(start, NOW);
    expect(takeEvents(NOW + 5_000)).toEqual([{ ...start, count: 1, since: NOW, until: NOW }]);
  });
});
