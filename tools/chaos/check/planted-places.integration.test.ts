import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runDraws } from '@/lib/checkout/draw/run-draws';
import { createDrawFixture } from '@/lib/checkout/draw/testing/draw-fixture';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { drainOutbox } from '@/lib/checkout/testing/drain-outbox';
import { buy, createSaleFixture, forge, type SaleFixture } from '@/lib/checkout/testing/sale-fixture';
import { join } from '@/lib/checkout/waitlist/testing/waitlist-fixture';
import { closeDb, db } from '@/lib/db/client';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { Ledger, type PlaceEntry } from '../load/ledger';
import type { RoundKind } from '../round-kinds';
import { checkCampaign } from './check-campaign';
import { checkLine } from './check-line';
import { checkQueue } from './check-queue';
import { checkTold } from './check-told';
import { checkWaitlist } from './check-waitlist';
import { readBooks } from './read-books';
import type { Books, Case, LineEntryRow, Violation } from './types';

// Shows that the checks of places can fail: each test breaks one promise behind the product's back.
let ledger: Ledger;
let at: number;
beforeEach(async () => {
  ledger = new Ledger();
  at = Date.now();
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
});
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const rulesOf = (found: Violation[]) => [...new Set(found.map(({ rule }) => rule))].sort();

const caseOf = async (saleId: string, kind: RoundKind, change: (books: Books) => void = () => {}) => {
  const books = await readBooks(saleId);
  change(books);
  const facts = {
    kind,
    stock: 10,
    limitPerUser: 1,
    startsAt: at - 1_000,
    redisLostAt: [],
    epoch: books.epoch,
  };
  return { ledger, books, facts } satisfies Case;
};

/** Notes an answer that came later than all before. */
function tell(entry: Partial<PlaceEntry> & Pick<PlaceEntry, 'userId' | 'of' | 'act'>): void {
  at += 10;
  const nothing = { code: '', number: null, place: null, state: null, ahead: null };
  ledger.places.push({ askedAt: at, answeredAt: at + 5, httpStatus: 200, ...nothing, ...entry });
}

describe('[J4 M2] the check of a waitlist', () => {
  let sale: SaleFixture;
  let people: string[];
  /** One unit, which the first has; the others wait. */
  beforeEach(async () => {
    sale = await createSaleFixture({ total: 1, users: 4, limit: 2, waitlist: true });
    const [buyer = '', ...rest] = sale.userIds;
    people = rest;
    await buy(sale, buyer);
    await drainOutbox(sale.saleId);
    for (const [ahead, userId] of people.entries()) {
      await join(sale, userId);
      tell({ userId, of: 'waitlist', act: 'join', state: 'waiting', ahead });
    }
  });
  const found = async (change?: (books: Books) => void) => {
    const round = await caseOf(sale.saleId, 'waitlist', change);
    return rulesOf([...checkTold(round), ...checkWaitlist(round)]);
  };
  const second = () => people[1] as string;

  it('has nothing to say of a sound one, also when somebody leaves', async () => {
    expect(await found()).toEqual([]);
    tell({ userId: second(), of: 'waitlist', act: 'leave', state: 'none' });
    tell({ userId: second(), of: 'waitlist', act: 'look', state: 'none' });
    expect(await found()).toEqual([]);
  });

  it('notices a place that was told and is gone, from Redis, from Postgres or from an answer', async () => {
    await stockRedis().zrem(keys.waitlist(sale.saleId), second());
    expect(await found()).toEqual(['a place told is kept']);
    await stockRedis().zadd(keys.waitlist(sale.saleId), '2', second());
    await db()
      .$executeRaw`UPDATE waitlist_entries SET left_at = now() WHERE sale_id = ${sale.saleId} AND user_id = ${second()}`;
    expect(await found()).toContain('a place told is kept');
    await db()
      .$executeRaw`UPDATE waitlist_entries SET left_at = NULL WHERE sale_id = ${sale.saleId} AND user_id = ${second()}`;
    expect(await found()).toEqual([]);
    tell({ userId: second(), of: 'waitlist', act: 'look', state: 'none' });
    expect(await found()).toEqual(['a place told is kept']);
  });

  it('notices somebody with two places, and two people with one number', async () => {
    const twice = ({ waitlist }: Books) => {
      const [row] = waitlist;
      if (row) waitlist.push({ ...row, number: 9, orderNo: '9' });
    };
    expect(await found(twice)).toContain('one place each');
    await stockRedis().zadd(keys.waitlist(sale.saleId), '1', second());
    expect(await found()).toContain('one place each');
  });

  it('notices a line that grows in front of somebody, but not after Redis was lost', async () => {
    tell({ userId: second(), of: 'waitlist', act: 'look', state: 'waiting', ahead: 2 });
    expect(await found()).toEqual(['nobody is passed over']);
    const round = await caseOf(sale.saleId, 'waitlist');
    round.facts.epoch -= 1;
    expect(rulesOf(checkTold(round))).toEqual([]);
  });

  it('notices a unit that is idle, one that the wrong person got, and one that was given to another', async () => {
    await stockRedis().hset(keys.sale(sale.saleId), 'available', 1);
    expect(await found()).toEqual(['nobody is passed over']);
    await stockRedis().hset(keys.sale(sale.saleId), 'available', 0);
    const rows = await db().waitlistEntry.findMany({
      where: { saleId: sale.saleId },
      orderBy: { number: 'asc' },
    });
    const last = rows.at(-1);
    await db().sale.update({ where: { id: sale.saleId }, data: { totalStock: 2 } });
    const order = forge(sale, last?.userId ?? '', { orderNo: String(last?.orderNo), jti: last?.jti ?? '' });
    await createOrders({ saleId: sale.saleId, orders: [order] });
    expect(await found()).toContain('nobody is passed over');
    const exchange = ({ orders }: Books) => {
      for (const one of orders) if (one.orderNo === order.orderNo) one.userId = second();
    };
    expect(await found(exchange)).toContain('a unit is given once');
  });

  it('notices a unit that was given while the sale was paused', async () => {
    const given = (books: Books) => {
      const [row] = books.waitlist;
      const [order] = books.orders;
      if (!row || !order) throw new Error('there is no order');
      const { orderNo, jti, userId } = row;
      books.orders.push({ ...order, orderNo, jti, userId, acceptedAt: at + 1_000 });
      books.waiting.shift();
    };
    expect(await found(given)).toEqual([]);
    const act = { delta: 0, result: 'done', detail: '' } as const;
    ledger.merchant.push({ ...act, act: 'pause', askedAt: at + 800, answeredAt: at + 900 });
    expect(await found(given)).toEqual(['paused sells nothing']);
    ledger.merchant.push({ ...act, act: 'resume', askedAt: at + 920, answeredAt: at + 930 });
    expect(await found(given)).toEqual([]);
  });

  it('notices a purchase by somebody who did not wait, and a place passed over for no reason', async () => {
    await db().sale.update({ where: { id: sale.saleId }, data: { totalStock: 2 } });
    const stranger = forge(sale, sale.userIds[0] ?? '', { acceptedAt: Date.now() + 1_000 });
    await createOrders({ saleId: sale.saleId, orders: [stranger] });
    expect(await found()).toEqual(['nobody is passed over']);
    const withoutStranger = (books: Books) => {
      books.orders = books.orders.filter(({ orderNo }) => orderNo !== stranger.orderNo);
    };
    expect(await found(withoutStranger)).toEqual([]);
    await db()
      .$executeRaw`UPDATE waitlist_entries SET passed_at = now() WHERE sale_id = ${sale.saleId} AND user_id = ${second()}`;
    expect(await found(withoutStranger)).toContain('nobody is passed over');
  });
});

describe('[J4 M1] the check of a draw', () => {
  let sale: SaleFixture;
  beforeEach(async () => {
    sale = await createDrawFixture({ total: 3, users: 12 });
    for (const [number, userId] of sale.userIds.entries())
      tell({ userId, of: 'line', act: 'join', httpStatus: 201, number });
    await runDraws();
    await drainOutbox(sale.saleId);
  });
  const found = async (change?: (books: Books) => void) => {
    const round = await caseOf(sale.saleId, 'draw', change);
    return rulesOf([...checkTold(round), ...checkLine(round), ...checkWaitlist(round)]);
  };
  const entriesOf = (books: Books) => books.line?.entries as [LineEntryRow, LineEntryRow, LineEntryRow];

  it('has nothing to say of a sound one', async () => {
    expect(await found()).toEqual([]);
  });

  it('notices exchanged places, another random value, another seed, and one that was promised otherwise', async () => {
    const swap = (books: Books) => {
      const [one, other] = entriesOf(books);
      [one.place, other.place] = [other.place, one.place];
    };
    expect(await found(swap)).toContain('the order can be recomputed');
    const renonce = (books: Books) => {
      entriesOf(books)[2].nonce = '00'.repeat(16);
    };
    expect(await found(renonce)).toContain('the order can be recomputed');
    const reseed = ({ line }: Books) => {
      if (line) line.seed = '11'.repeat(32);
    };
    expect(await found(reseed)).toContain('the order can be recomputed');
    ledger.seedHashes.add('22'.repeat(32));
    expect(await found()).toEqual(['the order can be recomputed']);
  });

  it('notices winners who were not the first, and people passed over who had not left', async () => {
    const reorder = (books: Books) => {
      const [one, other] = [books.waitlist[0], books.waitlist[5]];
      if (one && other) [one.number, other.number] = [other.number, one.number];
    };
    expect(await found(reorder)).toContain('winners as drawn');
    const skip = (books: Books) => {
      entriesOf(books)[1].passedOver = 'banned';
    };
    expect(await found(skip)).toContain('nobody is passed over');
    const forget = (books: Books) => {
      const last = books.waitlist.pop();
      books.waiting = books.waiting.filter(({ userId }) => userId !== last?.userId);
    };
    expect(await found(forget)).toEqual(['winners as drawn']);
  });

  it('notices a number told twice, one that changed, and one of somebody else', async () => {
    const [one = '', other = ''] = sale.userIds;
    tell({ userId: other, of: 'line', act: 'look', number: 0 });
    expect(await found()).toEqual(['a place told is kept', 'one place each']);
    ledger.places.pop();
    tell({ userId: one, of: 'line', act: 'enter', httpStatus: 404, code: 'NOT_IN_LINE' });
    expect(await found()).toEqual(['a place told is kept']);
    ledger.places.pop();
    const twice = (books: Books) => {
      const [entry] = entriesOf(books);
      entry.userId = other;
    };
    expect(await found(twice)).toContain('one place each');
  });
});

describe('[J4 M1] the check of a waiting room', () => {
  let sale: SaleFixture;
  beforeEach(async () => {
    sale = await createDrawFixture({ total: 3, users: 6 });
    await runDraws();
  });
  /** A draw's line as a waiting room that has let all of it in. */
  const found = async (change: (books: Books) => void = () => {}) => {
    const round = await caseOf(sale.saleId, 'waiting-room', (books) => {
      if (books.line) books.line.admitted = 6;
      for (const entry of books.line?.entries ?? []) entry.enteredAt = at;
      change(books);
    });
    return rulesOf(checkLine(round));
  };

  it('notices people who came in out of turn, and who bought without a turn', async () => {
    expect(await found()).toEqual([]);
    const early = ({ line }: Books) => {
      if (line) line.admitted = 5;
    };
    expect(await found(early)).toEqual(['nobody is passed over']);
    await buy(sale, sale.userIds[0] ?? '').catch(() => null);
    await drainOutbox(sale.saleId);
    const stranger = ({ line }: Books) => {
      for (const entry of line?.entries ?? []) entry.enteredAt = null;
    };
    expect(await found(stranger)).toEqual(['nobody is passed over']);
  });

  it('notices somebody who is refused after people behind have come in, and a place that was told otherwise', async () => {
    const { line } = await readBooks(sale.saleId);
    const inOrder = (line?.entries ?? []).toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0));
    const [first, last] = [inOrder[0], inOrder[5]];
    tell({ userId: last?.userId ?? '', of: 'line', act: 'enter' });
    expect(await found()).toEqual([]);
    tell({
      userId: first?.userId ?? '',
      of: 'line',
      act: 'enter',
      httpStatus: 409,
      code: 'NOT_ADMITTED',
      place: 0,
    });
    expect(await found()).toEqual(['nobody is passed over']);
    ledger.places.pop();
    tell({ userId: first?.userId ?? '', of: 'line', act: 'look', number: first?.number ?? 0, place: 3 });
    expect(await found()).toEqual(['the order can be recomputed']);
  });

  it('notices a line without an order, and people counted as early who were not', async () => {
    const never = ({ line }: Books) => {
      if (line) line.early = null;
    };
    expect(await found(never)).toEqual(['the order can be recomputed']);
    const late = ({ line }: Books) => {
      if (line) line.early = 5;
    };
    expect(await found(late)).toContain('the order can be recomputed');
  });
});

describe('[C10 J4] the check of a queue', () => {
  const status = (orderNo: string, what: string) => {
    at += 10;
    ledger.statuses.push({ askedAt: at, answeredAt: at + 5, orderNo, status: what });
  };
  const ask = (orderNo: string) => {
    const outcome = { kind: 'undecided', orderNo } as const;
    const who = { web: 'web-1', userId: 'user_1', jti: 'jti_1', quantity: 1 };
    ledger.purchases.push({ askedAt: at, answeredAt: at, ...who, outcome });
  };

  it('notices a purchase that is never decided, decided twice, undecided again, or an order though refused', async () => {
    const sale = await createSaleFixture({ users: 1 });
    const { orderNo } = await buy(sale, sale.userIds[0] ?? '');
    await drainOutbox(sale.saleId);
    const found = async () => rulesOf(checkQueue(await caseOf(sale.saleId, 'queue')));
    ask(orderNo);
    expect(await found()).toEqual(['a queue answers once']);
    status(orderNo, 'undecided');
    status(orderNo, 'queued');
    status(orderNo, 'pending_payment');
    expect(await found()).toEqual([]);
    status(orderNo, 'undecided');
    expect(await found()).toEqual(['a queue answers once']);
    ledger.statuses.pop();
    status(orderNo, 'no order: SOLD_OUT');
    expect(await found()).toEqual(['a queue answers once']);
    ledger.statuses.length = 0;
    status(orderNo, 'no order: SOLD_OUT');
    expect(await found()).toEqual(['a queue answers once']);
  });
});

describe('[A8 J4] the check of a campaign', () => {
  it('notices somebody who has more in all sales together than the limit, though not in one', async () => {
    const cases: Case[] = [];
    for (let n = 0; n < 2; n += 1) {
      const sale = await createSaleFixture({ users: 1, limit: 2 });
      await buy(sale, sale.userIds[0] ?? '', 2);
      await drainOutbox(sale.saleId);
      cases.push(await caseOf(sale.saleId, 'campaign'));
    }
    expect(rulesOf(checkCampaign(cases, 2))).toEqual([]);
    for (const order of cases.flatMap(({ books }) => books.orders)) order.userId = 'user_same';
    expect(rulesOf(checkCampaign(cases, 2))).toEqual(['limit of a campaign']);
  });
});
