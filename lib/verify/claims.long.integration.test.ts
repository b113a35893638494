import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { issueEntry } from '@/lib/admission/issue-entry';
import { SENTENCE_CODES, SENTENCES, type SentenceCode } from '@/lib/contract/words/sentences';
import { closeDb, db } from '@/lib/db/client';
import { publishLogs } from '@/lib/decision-log/publish-logs';
import { runDraws } from '@/lib/draw/run-draws';
import { createDrawFixture } from '@/lib/draw/testing/draw-fixture';
import { newId } from '@/lib/ids/new-id';
import { joinSaleLine } from '@/lib/line/join-sale-line';
import { forgetLine } from '@/lib/line/records/find-line';
import { tendLines } from '@/lib/line/tend-lines';
import { issueOrderNo, releaseOrderNos } from '@/lib/order/records/issue-order-no';
import { sandbox } from '@/lib/payment/providers/sandbox/provider';
import { drainOutbox } from '@/lib/purchase/testing/drain-outbox';
import { buyForAll, createSaleFixture, buy as take } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { findSaleInfo } from '@/lib/sale/records/find-sale-info';
import { createOrders } from '@/lib/settlement/create-orders';
import type { OrderProblem } from '@/lib/shuffle/check-order';
import { releaseStock } from '@/lib/stock/release-stock';
import { joinWaitlist } from '@/lib/waitlist/join-waitlist';
import { settleWaitlist } from '@/lib/waitlist/tend-waitlists';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { checkDeducted } from './check-deducted';
import { FAULTS, type Fault } from './faults';
import { Findings } from './findings';
import { judgePurchase } from './judge-purchase';
import {
  buy,
  cancel,
  createTestSale,
  pay,
  type TestPurchase,
  takeFromOutbox,
  write,
} from './testing/test-sale';
import { verifyLines } from './verify-lines';
import { verifyLog } from './verify-log';
import { verifyProofs } from './verify-proofs';
import { verifySale } from './verify-sale';

/*
 * Everything that verify claims, broken by hand once. The tables are complete by their types: a new finding without a line
 * here does not compile.
 */

/** Sentences about what is right. */
const RIGHT = [
  'never_published',
  'tiers',
  'tiers_unlimited',
  'tiers_in_postgres',
  'tiers_in_postgres_unlimited',
  'committed',
  'committed_unlimited',
  'deducted',
  'deducted_in_postgres',
  'within_limit',
  'matched',
  'matched_in_postgres',
  'found',
  'paid_for',
  'books_agree',
  'more',
] as const satisfies readonly SentenceCode[];
type Finding = Exclude<SentenceCode, (typeof RIGHT)[number]>;

const CHECKED = ['sales', 'orders', 'payments', 'lines', 'line_entries', 'waitlist_entries', 'sale_variants'];
const UNIQUE = [
  'orders_only_one_key',
  'line_entries_live_key',
  'line_entries_place_key',
  'waitlist_entries_order_key',
];

/** The last guards refuse what is broken here. */
beforeAll(async () => {
  await db().$executeRawUnsafe(`DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT conrelid::regclass AS t, conname FROM pg_constraint
             WHERE contype = 'c' AND conparentid = 0 AND conrelid::regclass::text = ANY ('{${CHECKED}}')
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', c.t, c.conname); END LOOP; END $$`);
  for (const index of UNIQUE) await db().$executeRawUnsafe(`DROP INDEX IF EXISTS ${index}`);
  await db().$executeRaw`
    INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES ('f', 'a', 'u', 5, '{}')`;
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

/** Runs SQL as the owner of the database could, who switches the triggers off. `$sale` is the sale's id. */
const asOwner = (saleId: string, ...statements: string[]) =>
  db().$transaction(async (tx) => {
    await tx.$executeRawUnsafe('SET LOCAL session_replication_role = replica');
    for (const statement of statements)
      await tx.$executeRawUnsafe(statement.replaceAll('$sale', `'${saleId}'`));
  });

describe('[C6] each finding about a sale', () => {
  type Sale = { saleId: string; userIds: string[]; bought: TestPurchase[] };
  type Break = (sale: Sale) => Promise<unknown>;

  /** Six purchases: 0–2 unpaid, 3 paid, 4 cancelled, 5 still in the outbox. */
  async function make(): Promise<Sale> {
    const sale = await createTestSale({ total: 20, users: 10 });
    const bought = await Promise.all(sale.userIds.slice(0, 6).map((userId) => buy(sale, userId)));
    await write(sale, bought.slice(0, 5));
    await pay(sale, bought[3] as TestPurchase);
    await cancel(sale, bought[4] as TestPurchase);
    return { ...sale, bought };
  }

  const nth = ({ bought }: Sale, n: number) => bought[n] as TestPurchase;
  const sql =
    (...statements: string[]): Break =>
    ({ saleId, bought }) =>
      asOwner(
        saleId,
        ...statements.map((text) =>
          text.replace(/\$(\d)/g, (_, n) => (bought[Number(n)] as TestPurchase).orderNo),
        ),
      );
  const tiers =
    (by: Record<string, string | number>): Break =>
    ({ saleId }) =>
      stockRedis().hset(keys.sale(saleId), by);
  const record = ({ jti, orderNo }: TestPurchase, state: string) => `${jti},${orderNo},1,${state}`;
  const setRecord = ({ saleId }: Sale, { userId }: TestPurchase, text: string) =>
    stockRedis().hset(keys.buyers(saleId), userId, text);
  const records =
    (n: number, text: (purchase: TestPurchase) => string): Break =>
    (sale) =>
      setRecord(sale, nth(sale, n), text(nth(sale, n)));
  const stray = async ({ epoch }: TestPurchase, userId: string): Promise<TestPurchase> => ({
    ...{ userId, epoch, jti: newId('jti'), orderNo: await issueOrderNo(userId), acceptedAt: Date.now() },
  });
  const book = (n: number, amount: number, refundedAt: string | null, ...then: string[]): Break =>
    sql(
      `INSERT INTO sandbox_payments (payment_id, outcome, amount_minor, currency, refunded_at)
       VALUES ('pay_$${n}', 'succeeded', ${amount}, 'EUR', ${refundedAt})
       ON CONFLICT (payment_id) DO UPDATE SET amount_minor = excluded.amount_minor, refunded_at = excluded.refunded_at`,
      ...then,
    );
  const campaign =
    (...statements: string[]): Break =>
    async (sale) => {
      const slug = sale.saleId.replaceAll('_', '-');
      await asOwner(
        sale.saleId,
        `INSERT INTO campaigns (id, slug, title, merchant_id, limit_per_user)
         SELECT id, '${slug}', 'Test', merchant_id, 1 FROM sales WHERE id = $sale`,
        'UPDATE sales SET campaign_id = id WHERE id = $sale',
      );
      await sql(...statements)(sale);
    };
  const split =
    (change: Break): Break =>
    async (sale) => {
      const fixture = await createSaleFixture({ slices: 2, total: 10 });
      sale.saleId = fixture.saleId;
      await change(sale);
    };
  /** Two variants with 6 and 4 units, one of each sold to an unpaid order. */
  const varied =
    (change: Break): Break =>
    async (sale) => {
      const fixture = await createSaleFixture({ users: 2, variants: [6, 4] });
      for (const [at, userId] of fixture.userIds.entries()) await take(fixture, userId, 1, at + 1);
      await drainOutbox(fixture.saleId);
      sale.saleId = fixture.saleId;
      await change(sale);
    };
  const inDatabase = (...statements: string[]): Break =>
    sql("UPDATE sales SET strategy = 'database' WHERE id = $sale", ...statements);
  /** One unit, sold; three wait for it. With variants it is all of the first one. */
  const waiting =
    (change: (sale: Sale, waiting: string[]) => Promise<unknown>, variants: readonly number[] = []): Break =>
    async (sale) => {
      const fixture = await createSaleFixture({ total: 1, variants, users: 5, waitlist: true });
      const [first = '', ...rest] = fixture.userIds;
      const variant = Math.min(1, variants.length);
      await take(fixture, first, 1, variant);
      await drainOutbox(fixture.saleId);
      const info = await findSaleInfo(fixture.saleId);
      for (const userId of rest.slice(0, 3))
        if (info) await joinWaitlist(info, { userId, jti: newId('jti'), variant });
      Object.assign(sale, fixture);
      await change(sale, rest);
    };
  const wished = (change: Parameters<typeof waiting>[0]): Break => waiting(change, [1, 4]);
  /** Writes the order of a place on the waitlist. */
  async function giveTo(sale: Sale, userId: string, variant?: number) {
    const { orderNo, jti } = await db().waitlistEntry.findFirstOrThrow({
      where: { saleId: sale.saleId, userId },
    });
    const epoch = (await findSaleInfo(sale.saleId))?.epoch ?? 0;
    const order = { orderNo: String(orderNo), userId, jti, quantity: 1, epoch, acceptedAt: Date.now() };
    await asOwner(sale.saleId, 'UPDATE sales SET total_stock = 2 WHERE id = $sale');
    await createOrders({ saleId: sale.saleId, orders: [{ ...order, variant }] });
  }

  /** No hand can break these: one needs a sale that moves, one a purchase that is old. Both are judged from values. */
  type Judged = 'records_too_different' | 'nowhere_here';
  const BREAKS: Record<Exclude<Finding, Judged>, Break> = {
    records_differ: tiers({ available: 14, held: 5 }),
    over_limit_in_orders: async (sale) =>
      write(sale as never, [await stray(nth(sale, 0), nth(sale, 0).userId)]),
    over_limit_in_redis: async (sale) => {
      const second = await stray(nth(sale, 0), nth(sale, 0).userId);
      await setRecord(sale, nth(sale, 0), `${record(nth(sale, 0), 'h')};${record(second, 'h')}`);
    },
    over_campaign_in_orders: campaign(
      'UPDATE orders SET quantity = 2, amount_minor = 2 * amount_minor WHERE id = $0',
    ),
    over_campaign_allowed: campaign(
      "INSERT INTO campaign_allowances SELECT id, 'somebody', id, 2, 1 FROM sales WHERE id = $sale",
    ),
    allowance_differs: async (sale) => {
      await campaign()(sale);
      await stockRedis().hset(keys.allowances(sale.saleId), 'somebody', '1 1');
    },
    no_payment: sql('DELETE FROM payments WHERE order_id = $3'),
    wrong_payment: sql('UPDATE payments SET amount_minor = 999 WHERE order_id = $3'),
    wrong_parts: sql('UPDATE payments SET parts_minor = 100 WHERE order_id = $3'),
    unbooked: book(
      0,
      1_000,
      null,
      'UPDATE payments SET opened_at = now(), next_query_at = NULL WHERE order_id = $0',
    ),
    other_amount: book(3, 900, null),
    not_held: sql("DELETE FROM sandbox_payments WHERE payment_id = 'pay_$3'"),
    sent_back_there: book(3, 1_000, 'now()'),
    disputed: async (sale) => {
      const ask = sandbox.queryStates;
      vi.spyOn(sandbox, 'queryStates').mockImplementation(async (ids) => {
        const states = [...(await ask(ids))].map(
          ([id, state]) => [id, { ...state, isDisputed: true }] as const,
        );
        return new Map(states);
      });
      await book(3, 1_000, null)(sale);
    },
    not_sent_back: book(
      4,
      1_000,
      null,
      "UPDATE payments SET status = 'refunded', settled_at = now(), refunded_at = now() WHERE order_id = $4",
    ),
    provider_silent: async () => {
      vi.spyOn(sandbox, 'isOurFault').mockReturnValueOnce(false);
      vi.spyOn(sandbox, 'queryStates').mockRejectedValueOnce(
        Object.assign(new Error('no answer'), { cause: { code: 'ECONNREFUSED' } }),
      );
    },
    not_a_number: tiers({ available: 'many' }),
    negative: tiers({ available: -1 }),
    no_sum: tiers({ available: 16 }),
    negative_in_postgres: sql('UPDATE sales SET held_stock = -1 WHERE id = $sale'),
    counters_differ: sql('UPDATE sales SET held_stock = held_stock + 1 WHERE id = $sale'),
    sold_differs: sql('UPDATE sales SET sold_stock = sold_stock + 1 WHERE id = $sale'),
    too_much_committed: sql('UPDATE sales SET total_stock = 3 WHERE id = $sale'),
    too_much_in_orders: sql('UPDATE sales SET total_stock = 3 WHERE id = $sale'),
    totals_differ: tiers({ total: 21, available: 16 }),
    dealt_differs: split(sql('UPDATE sale_slices SET total = total + 1 WHERE sale_id = $sale AND slice = 0')),
    slice_differs: split(({ saleId }) => stockRedis().hincrby(keys.sale(saleId), 'total', 1)),
    variant_counters_differ: varied(
      sql('UPDATE sale_variants SET held = held + 1 WHERE sale_id = $sale AND number = 2'),
    ),
    variant_too_much: varied(sql('UPDATE sale_variants SET stock = 0 WHERE sale_id = $sale AND number = 2')),
    variants_differ: varied(
      sql('UPDATE sale_variants SET stock = stock + 1 WHERE sale_id = $sale AND number = 1'),
    ),
    variant_unknown: varied(sql('UPDATE orders SET variant = 0 WHERE sale_id = $sale AND variant = 2')),
    variants_no_sum: varied(tiers({ variants: '5 4' })),
    variant_records_differ: varied(tiers({ variants: '4 4' })),
    deducted_differs: inDatabase('UPDATE sales SET held_stock = held_stock + 1 WHERE id = $sale'),
    deducted_for_nothing: inDatabase('UPDATE sales SET held_stock = held_stock + 1 WHERE id = $sale'),
    not_written_together: inDatabase('DELETE FROM payments WHERE order_id = $0'),
    other_buyer: (sale) => sql(`UPDATE orders SET user_id = '${sale.userIds[9]}' WHERE id = $0`)(sale),
    no_purchase: async (sale) => write(sale as never, [await stray(nth(sale, 0), sale.userIds[9] as string)]),
    other_purchase: records(0, (purchase) => record({ ...purchase, jti: 'jti_other' }, 'h')),
    other_state: records(0, (purchase) => record(purchase, 'r')),
    sold_without_order: records(5, (purchase) => record(purchase, 's')),
    still_held: async (sale) => {
      await takeFromOutbox(sale.saleId, [nth(sale, 5)]);
      await sql(`INSERT INTO dead_letters (consumer, message_id, sale_id, order_no, payload, error, released_at)
        VALUES ('create-orders', '$5', $sale, $5, '{}', 'poison', now())`)(sale);
    },
    released_without_order: async (sale) => {
      await takeFromOutbox(sale.saleId, [nth(sale, 5)]);
      await releaseStock({ saleId: sale.saleId, ...nth(sale, 5) });
    },
    nowhere: (sale) => takeFromOutbox(sale.saleId, [nth(sale, 5)]),
    units_idle: waiting(({ saleId }) => stockRedis().hset(keys.sale(saleId), 'available', 1)),
    variant_units_idle: wished(({ saleId }) => stockRedis().hset(keys.sale(saleId), 'variants', '1 3')),
    wish_unknown: wished(sql('UPDATE waitlist_entries SET variant = 3 WHERE sale_id = $sale')),
    wish_differs: wished(sql('UPDATE waitlist_entries SET variant = 2 WHERE sale_id = $sale')),
    other_than_wished: wished((sale, rest) => giveTo(sale, rest[0] as string, 2)),
    place_lost: waiting(async ({ saleId }, [first = '']) => {
      await stockRedis().zrem(keys.waitlist(saleId), first);
      await stockRedis().hdel(keys.places(saleId), first);
    }),
    place_unknown: waiting(({ saleId }, rest) =>
      stockRedis().zadd(keys.waitlist(saleId), '9', rest[3] as string),
    ),
    place_twice: waiting(({ saleId }, rest) =>
      stockRedis().zadd(keys.waitlist(saleId), '1', rest[1] as string),
    ),
    passed_over: waiting((sale, rest) => giveTo(sale, rest[2] as string)),
    record_unreadable: records(4, () => 'nonsense'),
    purchase_twice: records(4, (purchase) => `${record(purchase, 'r')};${record(purchase, 'r')}`),
    draft_with_orders: async (sale) => {
      await stockRedis().unlink(keys.sale(sale.saleId));
      await sql("UPDATE sales SET status = 'draft' WHERE id = $sale")(sale);
    },
    not_in_redis: ({ saleId }) => stockRedis().unlink(keys.sale(saleId)),
  };

  const found = async ({ saleId }: Sale): Promise<string[]> => {
    const verification = await verifySale(saleId, { settleMs: 0 });
    return (
      verification?.invariants.flatMap(({ ok, statements }) =>
        ok ? [] : statements.map(({ code }) => code),
      ) ?? []
    );
  };

  it.each(Object.entries(BREAKS))('%s', async (code, change) => {
    const sale = await make();
    expect(await found(sale)).toEqual([]);
    await change(sale);
    expect(await found(sale)).toContain(code);
  });

  const JUDGED: Record<Judged, () => string | undefined> = {
    records_too_different: () => {
      const before = { epoch: 1, total: 9, available: 5, held: 4, sold: 0, accepted: 4, retaken: 0 };
      const after = { ...before, available: 4, held: 5, accepted: 5 };
      const findings = new Findings();
      checkDeducted(before, after, { purchases: 9, heldUnits: 9, soldUnits: 0 }, 1, findings);
      return findings.statements(3)[0]?.code;
    },
    nowhere_here: () => {
      const [orderNo, userId] = ['1', 'user'];
      const verdict = judgePurchase({
        ...{ orderNo, userId, order: undefined, epoch: 1, isExecutorRemote: true },
        purchase: { orderNo, jti: 'jti', quantity: 1, state: 'held' },
        whereabouts: { place: 'nowhere', acceptedAgoMs: 16 * 60_000 },
      });
      return verdict.status === 'broken' ? verdict.problem.code : undefined;
    },
  };
  it.each(Object.entries(JUDGED))('%s', (code, judge) => expect(judge()).toBe(code));

  it('has a break for every sentence that is not about what is right', () => {
    expect([...RIGHT, ...Object.keys(BREAKS), ...Object.keys(JUDGED)].toSorted()).toEqual(
      [...SENTENCE_CODES].toSorted(),
    );
    expect(Object.keys(SENTENCES)).toHaveLength(SENTENCE_CODES.length);
  });
});

/** Matches what a template says, whatever its values. */
const said = (text: string) =>
  new RegExp(
    text
      .split(/\{\w+\}/)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+'),
  );

describe('[M4 P4] each fault of a log, a line, a draw and a waitlist', () => {
  type Made = { saleId: string; userIds: string[] };
  const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });

  /** A log of six orders under two heads. */
  async function log(): Promise<Made> {
    const sale = await createSaleFixture({ users: 7 });
    const orders = await buyForAll(sale, 6);
    for (const [heads, some] of [orders.slice(0, 3), orders.slice(3)].entries()) {
      await createOrders({ saleId: sale.saleId, orders: some });
      await expect
        .poll(async () => {
          await publishLogs();
          return db().decisionHead.count({ where: { saleId: sale.saleId } });
        })
        .toBe(heads + 1);
    }
    return sale;
  }

  /** A draw of four for one unit, given to the first. */
  const draw = () => drawn({ users: 4, total: 1 });
  /** A draw of four for two variants, two for each. */
  const wished = () => drawn({ users: 4, variants: [1, 1], wishes: [1, 1, 2, 2] });
  async function drawn(options: Parameters<typeof createDrawFixture>[0]): Promise<Made> {
    const sale = await createDrawFixture(options);
    await runDraws();
    await drainOutbox(sale.saleId);
    await settleWaitlist(sale.saleId);
    await publishLogs();
    return sale;
  }

  /** A waiting room of a dozen that has let the first in, who bought. */
  async function line(): Promise<Made> {
    const sale = await createLineSale({ users: 12, total: 4 });
    const { saleId, userIds } = sale;
    for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
    await startsIn({ saleId }, 0);
    for (let round = 0; round < 3; round += 1) {
      await tendLines();
      await db()
        .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
    }
    forgetLine(saleId);
    for (const userId of userIds) await issueEntry(saleId, member(userId));
    const { userId } = await db().lineEntry.findFirstOrThrow({ where: { saleId, enteredAt: { not: null } } });
    await createOrders({ saleId, orders: [await take(sale, userId)] });
    return sale;
  }

  type Fixture = () => Promise<Made>;
  type Break = [Fixture, ...statements: string[]];
  const head = (set: string) => `UPDATE decision_heads SET ${set} WHERE sale_id = $sale AND size = 6`;
  const again = (kind: string, detail: string, user = 'user_id') =>
    `INSERT INTO decision_batches (sale_id, decisions) SELECT sale_id, json_build_array(json_build_object('kind', '${kind}',
       'at', 1, 'user', ${user}, 'order', id::text, 'detail', ${detail})) FROM orders WHERE sale_id = $sale LIMIT 1`;
  const swapPeople = (table: string, key: string) =>
    `UPDATE ${table} SET user_id = (SELECT user_id FROM ${table} o WHERE o.sale_id = $sale AND o.${key} = 3 - ${table}.${key})
     WHERE sale_id = $sale AND ${key} IN (1, 2)`;
  const winner = (set: string) => `UPDATE line_entries SET ${set} WHERE sale_id = $sale AND place = 0`;
  const gift = (set: string) =>
    `UPDATE waitlist_entries SET ${set} WHERE sale_id = $sale AND given_at IS NOT NULL`;
  const last = (set: string) => `UPDATE waitlist_entries SET ${set} WHERE sale_id = $sale AND number = 4`;

  const BREAKS: Record<Fault, Break> = {
    head_missing: [log, 'DELETE FROM decision_heads WHERE sale_id = $sale AND size = 6'],
    head_unsigned: [log, head('root = (SELECT root FROM decision_heads WHERE sale_id = $sale AND size = 3)')],
    head_backdated: [log, head("at = '2001-01-01'")],
    log_forked: [
      log,
      `INSERT INTO decision_heads SELECT sale_id, 6, true, root, at, key_id, signature FROM decision_heads
       WHERE sale_id = $sale AND size = 3`,
    ],
    leaf_missing: [log, 'DELETE FROM decision_leaves WHERE sale_id = $sale AND index = 2'],
    leaf_misfiled: [log, "UPDATE decision_leaves SET who = 'x' WHERE sale_id = $sale AND index = 2"],
    leaves_changed: [
      log,
      `UPDATE decision_leaves SET leaf = replace(leaf, '"units":1', '"units":2') WHERE sale_id = $sale AND index = 2`,
    ],
    leaves_counted: [log, 'UPDATE decision_logs SET size = size + 1 WHERE sale_id = $sale'],
    leaves_gone: [log, 'DELETE FROM decision_leaves WHERE sale_id = $sale AND index = 5'],
    hashes_differ: [
      log,
      'UPDATE decision_tiles SET hashes = set_byte(hashes, 0, get_byte(hashes, 0) # 1) WHERE sale_id = $sale',
    ],
    order_unlogged: [log, 'DELETE FROM decision_leaves WHERE sale_id = $sale AND index = 5'],
    order_logged_twice: [log, again('accepted', "json_build_object('units', 1)")],
    order_of_another: [
      log,
      'UPDATE orders SET user_id = (SELECT merchant_id FROM sales WHERE id = $sale) WHERE sale_id = $sale',
    ],
    order_units: [log, 'UPDATE orders SET quantity = 2 WHERE sale_id = $sale'],
    order_gone: [log, 'DELETE FROM orders WHERE sale_id = $sale'],
    line_promised: [draw, "UPDATE sales SET draw_weights = 'level' WHERE id = $sale"],
    order_made: [draw, "UPDATE lines SET beacon = '1:00' WHERE sale_id = $sale"],
    decided_twice: [draw, again('given_on', "json_build_object('number', 1)")],
    place_gone: [draw, 'DELETE FROM waitlist_entries WHERE sale_id = $sale AND given_at IS NOT NULL'],
    place_taken_by_nobody: [
      draw,
      `INSERT INTO waitlist_entries (sale_id, number, user_id, jti, order_no)
       SELECT sale_id, 99, user_id, 'x', 1 FROM waitlist_entries WHERE sale_id = $sale AND number = 4`,
    ],
    place_of_another: [draw, swapPeople('line_entries', 'number')],
    nonce_of_another: [
      draw,
      'UPDATE line_entries SET nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) WHERE sale_id = $sale',
    ],
    wish_of_another: [wished, 'UPDATE waitlist_entries SET variant = 3 - variant WHERE sale_id = $sale'],
    order_of_place: [draw, last('order_no = order_no + 1024')],
    place_was: [draw, winner("passed_over = 'banned'")],
    place_was_not: [draw, last("passed_at = now(), passed_why = 'blocked'")],
    drawn_for_another: [draw, swapPeople('waitlist_entries', 'number')],
    drawn_for_another_wish: [wished, 'UPDATE line_entries SET variant = 3 - variant WHERE sale_id = $sale'],
    drawn_behind: [
      draw,
      'UPDATE waitlist_entries SET number = 105 - number WHERE sale_id = $sale AND number IN (2, 3)',
      'UPDATE waitlist_entries SET number = number - 100 WHERE sale_id = $sale AND number > 100',
    ],
    numbers_given: [line, 'DELETE FROM line_entries WHERE sale_id = $sale AND number = 3'],
    two_places: [
      line,
      `UPDATE line_entries SET user_id = (SELECT user_id FROM line_entries WHERE sale_id = $sale AND number = 1)
       WHERE sale_id = $sale AND number = 2`,
    ],
    joined_before: [
      line,
      "UPDATE line_entries SET joined_at = joined_at - interval '1 hour' WHERE sale_id = $sale AND number = 5",
    ],
    admitted_before: [
      line,
      'UPDATE lines SET early = NULL, nonces_digest = NULL, shuffled_at = NULL WHERE sale_id = $sale',
    ],
    admitted_too_many: [line, 'UPDATE lines SET admitted = 99 WHERE sale_id = $sale'],
    early_counted: [line, 'UPDATE lines SET early = 11 WHERE sale_id = $sale'],
    digest_differs: [line, "UPDATE lines SET nonces_digest = sha256('x') WHERE sale_id = $sale"],
    out_of_turn: [line, 'UPDATE line_entries SET entered_at = now() WHERE sale_id = $sale'],
    not_come_in: [line, 'UPDATE line_entries SET entered_at = NULL WHERE sale_id = $sale'],
  };

  /** Other ways to the same faults: what somebody would do who wants to give a unit to another. */
  const OTHERS: [what: string, Fault, Break][] = [
    [
      'the places of two people in a waiting room are exchanged',
      'place_of_another',
      [line, swapPeople('line_entries', 'number')],
    ],
    ['a gift is deleted', 'place_was', [draw, gift('given_at = NULL')]],
    [
      'a gift is turned into a passing over',
      'place_was',
      [draw, gift("given_at = NULL, passed_at = now(), passed_why = 'blocked'")],
    ],
    [
      'a winner gives the order to a loser',
      'order_of_another',
      [
        draw,
        'UPDATE orders SET user_id = (SELECT user_id FROM line_entries WHERE sale_id = $sale AND place = 3) WHERE sale_id = $sale',
      ],
    ],
    ['the weights of a draw are others', 'place_was', [draw, winner('weight = 9')]],
    ['somebody is marked as gone', 'place_was_not', [draw, last('left_at = now()')]],
  ];

  const all = async ({ saleId }: Made) => {
    const [logged, lines, proofs] = [
      await verifyLog(saleId),
      await verifyLines(saleId),
      await verifyProofs(saleId),
    ];
    return [logged, lines, proofs].flatMap(({ ok, detail }) => (ok ? [] : [detail])).join('; ');
  };

  it.each([
    ...(Object.entries(BREAKS) as [Fault, Break][]).map(([code, change]) => [code, code, change] as const),
    ...OTHERS,
  ])('%s', async (_, code, [fixture, ...statements]) => {
    const made = await fixture();
    expect(await all(made)).toBe('');
    await asOwner(made.saleId, ...statements);
    expect(await all(made)).toMatch(said(FAULTS[code]));
  });

  it('by hand, without switching triggers off, a second decision is a fault of its own', async () => {
    const { saleId } = await draw();
    await db().$executeRaw`UPDATE line_entries SET place = NULL WHERE sale_id = ${saleId} AND place = 0`;
    await db().$executeRaw`
      UPDATE line_entries SET place = 0, passed_over = 'banned' WHERE sale_id = ${saleId} AND place IS NULL`;
    expect(await all({ saleId, userIds: [] })).toMatch(said(FAULTS.decided_twice));
  });

  it('names the account that should be there', async () => {
    const { saleId } = await draw();
    const [first, second] = await db().lineEntry.findMany({
      where: { saleId, number: { in: [1, 2] } },
      orderBy: { number: 'asc' },
    });
    await asOwner(saleId, swapPeople('line_entries', 'number'));
    expect(await all({ saleId, userIds: [] })).toContain(
      `number 1 in the line is booked for ${second?.userId}, and is of ${first?.userId}`,
    );
  });

  it('says of what is older than the log of places only that it can’t be compared', async () => {
    const { saleId } = await draw();
    const { placesAt } = await db().decisionLogStart.findFirstOrThrow();
    await asOwner(
      saleId,
      'DELETE FROM decision_logs WHERE sale_id = $sale',
      'DELETE FROM decision_leaves WHERE sale_id = $sale',
      'DELETE FROM decision_heads WHERE sale_id = $sale',
      'DELETE FROM decision_tiles WHERE sale_id = $sale',
      'DELETE FROM orders WHERE sale_id = $sale',
      "UPDATE decision_log_start SET places_at = now() + interval '1 hour'",
    );
    const { ok, detail } = await verifyLog(saleId);
    await asOwner(saleId, `UPDATE decision_log_start SET places_at = '${placesAt.toISOString()}'`);
    expect([ok, detail]).toEqual([
      true,
      expect.stringContaining("8 places from before places were logged can't be compared"),
    ]);
  });
});

describe('[M4] each problem of an order', () => {
  const BREAKS: Record<OrderProblem, string> = {
    malformed: 'UPDATE line_entries SET weight = 101 WHERE sale_id = $sale AND number = 1',
    seed_changed: "UPDATE lines SET seed = sha256('x') WHERE sale_id = $sale",
    entries_changed: 'UPDATE line_entries SET number = 99 WHERE sale_id = $sale AND number = 1',
    nonces_changed:
      'UPDATE line_entries SET nonce = set_byte(nonce, 0, get_byte(nonce, 0) # 1) WHERE sale_id = $sale',
    person_twice: `UPDATE line_entries SET user_id = (SELECT user_id FROM line_entries WHERE sale_id = $sale AND number = 1)
                   WHERE sale_id = $sale AND number = 2`,
    order_changed: 'UPDATE line_entries SET place = 3 - place WHERE sale_id = $sale',
  };
  beforeEach(() => db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`);

  it.each(Object.entries(BREAKS))('%s', async (problem, statement) => {
    const { saleId } = await createDrawFixture({ users: 4 });
    expect(await runDraws(async () => undefined)).toBe(1);
    expect((await verifyProofs(saleId)).ok).toBe(true);
    await asOwner(saleId, statement);
    expect((await verifyProofs(saleId)).detail).toContain(problem);
  });

  it.each([
    ['3 - variant', 'AND number = 1'],
    ['0', 'AND number = 1'],
    ['0', ''],
  ])('[O3] nonces_changed: variant = %s %s, once the order was known', async (variant, which) => {
    const { saleId } = await createDrawFixture({ users: 4, variants: [1, 1], wishes: [1, 1, 2, 2] });
    expect(await runDraws(async () => undefined)).toBe(1);
    expect((await verifyProofs(saleId)).ok).toBe(true);
    await asOwner(saleId, `UPDATE line_entries SET variant = ${variant} WHERE sale_id = $sale ${which}`);
    expect((await verifyProofs(saleId)).detail).toContain('nonces_changed');
  });
});
