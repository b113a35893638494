import { describe, expect, it } from 'vitest';
import { type BooksDifference, compareBooks } from './compare-books';
import type { PaymentStatus, ProviderState } from './types';

const ASKED_FOR = { amountMinor: 1000, currency: 'EUR' };
const LESS = { amountMinor: 900, currency: 'EUR' };
const THEIRS = {
  unknown: { status: 'unknown' },
  failed: { status: 'failed', ...ASKED_FOR },
  exact: { status: 'succeeded', ...ASKED_FOR },
  less: { status: 'succeeded', ...LESS },
  dollars: { status: 'succeeded', amountMinor: 1000, currency: 'USD' },
  returned: { status: 'refunded', ...ASKED_FOR },
  lessReturned: { status: 'refunded', ...LESS },
  disputed: { status: 'succeeded', ...ASKED_FOR, isDisputed: true },
} satisfies Record<string, ProviderState>;

const own = (status: PaymentStatus, more = {}) => ({
  ...ASKED_FOR,
  status,
  taken: null,
  partsMinor: 0,
  dueMinor: 0,
  isAsked: false,
  ...more,
});

/** Returns the difference for each state of the provider's books, in the order above. */
const differences = (books: Parameters<typeof compareBooks>[0]) =>
  Object.values(THEIRS).map((theirs) => compareBooks(books, theirs));

const EXPECTED: Record<PaymentStatus, (BooksDifference | null)[]> = {
  pending: [null, null, 'unbooked', 'unbooked', 'unbooked', null, null, 'unbooked'],
  failed: [null, null, 'unbooked', 'unbooked', 'unbooked', null, null, 'unbooked'],
  succeeded: [
    'not_held',
    'not_held',
    null,
    'other_amount',
    'other_amount',
    'sent_back_there',
    'sent_back_there',
    'disputed',
  ],
  refund_due: ['not_held', 'not_held', null, null, null, null, null, null],
  refunded: [
    'not_held',
    'not_held',
    'not_sent_back',
    'not_sent_back',
    'not_sent_back',
    null,
    'other_amount',
    'not_sent_back',
  ],
};

describe('compareBooks', () => {
  it.each(Object.entries(EXPECTED))(
    '[I1 C8] of a payment that is %s names what nobody looks at',
    (status, said) => {
      expect(differences(own(status as PaymentStatus))).toEqual(said);
    },
  );

  it('[I5] money that will be asked about is under way', () => {
    for (const status of ['pending', 'failed'] as const)
      expect(differences(own(status, { isAsked: true })).filter(Boolean)).toEqual([]);
    // Money that pays an order stays a difference: a query changes nothing about it.
    expect(compareBooks(own('succeeded', { isAsked: true }), THEIRS.less)).toBe('other_amount');
  });

  it('[I10] other money that was sent back is what was taken, not what was asked for', () => {
    const books = own('refunded', { taken: LESS });
    expect(compareBooks(books, THEIRS.lessReturned)).toBeNull();
    expect(compareBooks(books, THEIRS.returned)).toBe('other_amount');
  });

  it('[O4 C8] parts that were sent are not held, parts that are due may be, and a part of the provider’s own shows', () => {
    const held = (amountMinor: number): ProviderState => ({
      status: 'succeeded',
      amountMinor,
      currency: 'EUR',
    });
    const books = own('succeeded', { partsMinor: 300, dueMinor: 100 });
    const found = [1000, 801, 800, 750, 700, 699].map((minor) => compareBooks(books, held(minor)));
    expect(found).toEqual(['other_amount', 'other_amount', null, null, null, 'other_amount']);
    expect(compareBooks(own('succeeded', { partsMinor: 300 }), held(800))).toBe('other_amount');
    expect(compareBooks(own('refunded', { partsMinor: 300 }), THEIRS.returned)).toBeNull();
  });
});
