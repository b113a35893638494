import { describe, expect, it } from 'vitest';
import { entryDueAt } from '@/components/sale/use-entry';
import { NO_ATTEMPT, parseAttempt } from './attempt';

describe('[A5] what a reload or a second tab finds', () => {
  it('is the attempt as it was kept', () => {
    const attempt = {
      ...NO_ATTEMPT,
      entry: { entryToken: 't', expiresAt: 5 },
      clickedAt: 4,
      quantity: 3,
      variant: 2,
      isPending: true,
      isUndecided: true,
      orderNo: '9',
      refusal: 'PAUSED',
      previous: 'cancelled' as const,
    };
    expect(parseAttempt(JSON.stringify(attempt))).toEqual(attempt);
  });

  it.each(['', '{', 'null', '[]', '7', '{"entry":{"entryToken":7}}'])('%j counts as no attempt', (stored) => {
    expect(parseAttempt(stored)).toEqual(NO_ATTEMPT);
  });

  it('a pending mark without a token is not believed: there would be nothing to send', () => {
    expect(parseAttempt('{"isPending":true}').isPending).toBe(false);
  });
});

describe('[A3] getting ready', () => {
  const opensAt = 1_000_000;
  it('asks at once when entry is open already', () => {
    expect(entryDueAt(opensAt, opensAt, opensAt + 600_000, 0.9)).toBe(opensAt);
  });
  it('spreads the pages that waited for it over up to 20 s, and over half of what is left', () => {
    expect(entryDueAt(opensAt - 5000, opensAt, opensAt + 600_000, 0)).toBe(opensAt);
    expect(entryDueAt(opensAt - 5000, opensAt, opensAt + 600_000, 1)).toBe(opensAt + 20_000);
    expect(entryDueAt(opensAt - 5000, opensAt, opensAt + 10_000, 1)).toBe(opensAt + 5_000);
  });
});
