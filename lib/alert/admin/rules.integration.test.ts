import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { editAlertRule } from '@/lib/alert/edit-rule';
import { ALERT_RULE_IDS, type AlertRuleId } from '@/lib/contract/words/alert';
import { closeDb, db, pool } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { declareNeed } from '@/lib/health/process-needs';
import { readLockMetrics } from '@/lib/lock/lock-metrics';
import { withLock } from '@/lib/lock/with-lock';
import { countRequest } from '@/lib/metrics/http-meter';
import { createPublisher } from '@/lib/metrics/publish-figures';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { addWeeksOfMarks } from '@/lib/order/records/weeks-of-marks';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { applyPaymentEvent } from '@/lib/payment/apply-payment-event';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { charge, succeeded } from '@/lib/purchase/testing/pay-for';
import { buyForAll, createSaleFixture, forge, makeOverdue } from '@/lib/purchase/testing/sale-fixture';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmed, stampFor } from '@/lib/redis/replicas-ack';
import { lockLedger } from '@/lib/sale/records/slice-ledger';
import { watchServers } from '@/lib/servers/watch-servers';
import { createOrders } from '@/lib/settlement/create-orders';
import { createSplitSale, insist, type SplitSale, sellTo, userIn } from '@/lib/slice/testing/split-sale';
import { noteLoad } from '@/lib/switchboard/heard-loads';
import { stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { nextRound, statesOf } from './testing/rounds';

const publish = createPublisher('worker');
afterAll(async () => {
  await closeRedis();
  await closeDb();
});
beforeEach(() => db().alert.deleteMany());

const times = (count: number) => Array.from({ length: count }, (_, at) => at);

/** Makes a signal that its caller gives. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

type Case = {
  rule: AlertRuleId;
  /** Makes a state in which the rule must still be silent. @returns the subject that the alert will name */
  below: () => Promise<string>;
  /** Makes the state in which the rule must raise an alert. */
  above: (subject: string) => Promise<unknown>;
  end?: () => Promise<unknown>;
};

let split: SplitSale;
let lateNo = '';
let hasNumbers = true;
let hold = signal();
let held: Promise<unknown> = Promise.resolve();

const paidAndUnpaid = (saleId: string, unpaid: number) => db().$executeRaw`
  UPDATE orders SET paid_at = CASE WHEN at > ${unpaid} THEN now() END, status = CASE WHEN at > ${unpaid} THEN 'paid' ELSE 'cancelled' END,
                    cancelled_at = CASE WHEN at > ${unpaid} THEN NULL ELSE now() END, end_reason = CASE WHEN at > ${unpaid} THEN NULL ELSE 'expired' END
  FROM (SELECT shard, id, row_number() OVER (ORDER BY id) AS at FROM orders WHERE sale_id = ${saleId}) AS numbered
  WHERE orders.shard = numbered.shard AND orders.id = numbered.id`;

const hit = (ruleId: string, count: number, minutesAgo: number) => db().$executeRaw`
  INSERT INTO risk_hits (rule_id, rule_version, kind, value, period, counters, action, dry_run, created_at)
  SELECT ${ruleId}, 1, 'user', gen_random_uuid()::text, 1, '{}', '{"kind": "flag"}', false,
         now() - make_interval(mins => ${minutesAgo}::int)
  FROM generate_series(1, ${count}::int)`;

const due = (topic: string, secondsAgo: number) => db().$executeRaw`
  INSERT INTO outgoing_messages (topic, payload, next_attempt_at)
  VALUES (${topic}, '{}', now() - make_interval(secs => ${secondsAgo}::int))`;

async function step(secondsAgo: number) {
  const id = randomUUID();
  await db().$executeRaw`
    INSERT INTO executor.functions (id, app_id, url, max_attempts, config) VALUES (${id}, 'test', 'http://127.0.0.1', 1, '{}')`;
  await db().$executeRaw`
    INSERT INTO executor.events (id, name, payload, received_at) VALUES (${id}, 'test', '{}', now())`;
  await db().$executeRaw`
    INSERT INTO executor.runs (id, function_id, event_id, created_at) VALUES (${id}, ${id}, ${id}, now())`;
  await db().$executeRaw`
    INSERT INTO executor.queue (run_id, function_id, due_at)
    VALUES (${id}, ${id}, now() - make_interval(secs => ${secondsAgo}::int))`;
}

/** Makes an entry that has waited this long in a sale's outbox. */
const entry = (saleId: string, secondsAgo: number) =>
  stockRedis().xadd(keys.outbox(saleId), `${Date.now() - secondsAgo * 1_000}-0`, 'orderNo', '1');

async function writtenAfter(seconds: number, orders: number) {
  const sale = await createSaleFixture({ users: orders, total: orders });
  const acceptedAt = Date.now() - seconds * 1_000;
  await createOrders({
    saleId: sale.saleId,
    orders: sale.userIds.map((userId) => forge(sale, userId, { acceptedAt })),
  });
  await publish();
}

async function answers(failed: number, sound: number) {
  for (const _ of times(failed)) countRequest('purchase', 503, 1);
  for (const _ of times(sound)) countRequest('purchase', 409, 1);
  await publish();
}

const CASES: Case[] = [
  {
    rule: 'held_not_released',
    below: async () => {
      const { saleId, orderNo } = await createOrderFixture();
      await makeOverdue([orderNo], 200);
      return saleId;
    },
    above: () => db().$executeRaw`UPDATE orders SET pay_by = now() - interval '301 seconds'`,
  },
  {
    rule: 'held_not_released',
    below: async () => {
      const { saleId } = await createOrderFixture();
      await db().$executeRaw`
        UPDATE orders SET status = 'cancelled', cancelled_at = now(), end_reason = 'expired',
                          updated_at = now() - interval '200 seconds' WHERE sale_id = ${saleId}`;
      return saleId;
    },
    above: (saleId) => db().$executeRaw`
      UPDATE orders SET updated_at = now() - interval '301 seconds' WHERE sale_id = ${saleId}`,
  },
  {
    rule: 'unpaid_share',
    below: async () => {
      const sale = await createSaleFixture({ users: 20, total: 20 });
      await createOrders({ saleId: sale.saleId, orders: await buyForAll(sale) });
      await paidAndUnpaid(sale.saleId, 2);
      return sale.saleId;
    },
    above: (saleId) => paidAndUnpaid(saleId, 3),
  },
  {
    rule: 'risk_hits_growth',
    below: async () => {
      await hit('unpaid-by-account', 10, 15);
      await hit('unpaid-by-account', 15, 1);
      return 'unpaid-by-account';
    },
    above: (ruleId) => hit(ruleId, 1, 1),
  },
  {
    rule: 'outbox_depth',
    below: async () => {
      await editAlertRule(db(), { ruleId: 'outbox_depth', version: 0, threshold: 3 }, 'user_ops');
      const sale = await createSaleFixture();
      await buyForAll(sale);
      return sale.saleId;
    },
    above: (saleId) => stockRedis().xadd(keys.outbox(saleId), '*', 'orderNo', '1'),
  },
  {
    rule: 'outbox_lag',
    below: async () => (await createSaleFixture()).saleId,
    above: (saleId) => entry(saleId, 11),
  },
  {
    rule: 'slice_dry',
    below: async () => {
      const sale = await createSplitSale({ total: 10, users: 0 });
      // The slice sells its three units, and no shopper asks it for more.
      for (const _ of times(3)) await insist(sale, userIn(sale, 0));
      await publish();
      split = sale;
      return sale.saleId;
    },
    above: () =>
      transaction(async (tx) => {
        await lockLedger(tx, split.saleId);
        expect(await sellTo(split, userIn(split, 0))).toEqual({ status: 'busy' });
        await publish();
      }),
  },
  {
    rule: 'message_lag',
    below: async () => {
      await due('points', 5);
      return 'points';
    },
    above: (topic) => due(topic, 61),
  },
  {
    rule: 'executor_lag',
    below: async () => {
      await step(-3_600);
      await step(1);
      return '';
    },
    above: () => step(31),
  },
  {
    rule: 'dead_letters',
    below: async () => {
      await recordDeadLetter({ consumer: 'points', messageId: '1', payload: {}, error: 'no' });
      await db().$executeRaw`UPDATE dead_letters SET resolved_at = now(), resolution = 'retried'`;
      return 'points';
    },
    above: (consumer) => recordDeadLetter({ consumer, messageId: '2', payload: {}, error: 'no' }),
  },
  {
    rule: 'payment_mismatch',
    below: async () => {
      const { orderNo, saleId } = await createOrderFixture();
      await applyPaymentEvent('sandbox', await charge(orderNo));
      return saleId;
    },
    above: async (saleId) => {
      const { id } = await db().order.findFirstOrThrow({ where: { saleId } });
      await applyPaymentEvent('sandbox', await succeeded(String(id), { amountMinor: 1 }));
    },
  },
  {
    rule: 'payment_mismatch',
    below: async () => '',
    above: async () => {
      const { orderNo } = await createOrderFixture();
      await applyPaymentEvent('sandbox', await succeeded(orderNo, { paymentId: 'pay_none' }));
    },
  },
  {
    rule: 'payment_mismatch',
    below: async () => {
      const sale = await createSaleFixture({ users: 1 });
      const order = forge(sale, sale.userIds[0] ?? '');
      // As those of the years after 2033: a digit more than today's.
      lateNo = String(2n ** 62n + BigInt(order.orderNo));
      await createOrders({ saleId: sale.saleId, orders: [{ ...order, orderNo: lateNo }] });
      return sale.saleId;
    },
    above: async () => {
      const event = await succeeded(lateNo, { amountMinor: 1 });
      await applyPaymentEvent('sandbox', event);
      const tooLarge = { paymentId: `pay_${2n ** 63n}`, webhookId: 'msg_too_large' };
      await applyPaymentEvent('sandbox', { ...event, ...tooLarge });
    },
  },
  {
    rule: 'processing_delay',
    below: async () => {
      await writtenAfter(1, 4);
      return '';
    },
    above: () => writtenAfter(600, 2),
  },
  {
    rule: 'error_rate',
    below: async () => {
      await answers(5, 95);
      return '';
    },
    above: () => answers(2, 0),
  },
  {
    rule: 'lock_wait',
    below: async () => {
      for (const _ of times(5)) await withLock('quiet:1', { ttlMs: 5_000 }, async () => 1);
      await publish();
      return 'quiet';
    },
    above: async () => {
      const busy = signal();
      const holding = withLock('quiet:1', { ttlMs: 30_000 }, () => busy.given);
      const name = keys.lockHolder('quiet:1');
      await expect.poll(() => stockRedis().exists(name)).toBe(1);
      const rival = { ttlMs: 5_000, acquireTimeoutMs: 1_000 };
      await Promise.all(times(5).map(() => withLock('quiet:1', rival, async () => 1)));
      busy.give();
      await holding;
      await publish();
    },
  },
  {
    rule: 'log_heads_late',
    below: async () => {
      await db().$executeRaw`INSERT INTO decision_batches (sale_id, decisions) VALUES ('waits', '[]')`;
      return 'waits';
    },
    above: () => db().$executeRaw`UPDATE decision_batches SET logged_at = now() - interval '11 s'`,
    end: () => db().$executeRaw`DELETE FROM decision_batches`,
  },
  {
    rule: 'lock_hold',
    below: async () => {
      hold = signal();
      await withLock('slow:1', { ttlMs: 5_000 }, async () => 1);
      await publish();
      return 'slow';
    },
    above: async () => {
      held = withLock('slow:1', { ttlMs: 5_000, alertAfterMs: 20 }, () => hold.given);
      await expect.poll(() => readLockMetrics().slow?.heldLong).toBe(1);
      await publish();
    },
    end: () => {
      hold.give();
      return held;
    },
  },
  {
    rule: 'sign_in_failures',
    below: async () => {
      for (const _ of times(100)) countSignIn('wrong');
      for (const _ of times(500)) countSignIn('signed_in');
      await publish();
      return '';
    },
    above: () => {
      countSignIn('wrong');
      return publish();
    },
  },
  {
    rule: 'accounts_attacked',
    below: async () => '',
    above: () => {
      countSignIn('attacked');
      return publish();
    },
  },
  {
    rule: 'process_not_ready',
    below: async () => {
      declareNeed('orderNumbers', () => hasNumbers);
      await publish();
      return '';
    },
    above: async () => {
      hasNumbers = false;
      await publish();
    },
    end: async () => {
      hasNumbers = true;
    },
  },
  {
    rule: 'side_feature_off',
    below: async () => {
      await watchSwitchboard();
      await publish();
      return 'search';
    },
    above: async () => {
      noteLoad({ process: 'test', busy: 1, taken: [Date.now()] });
      await publish();
    },
    end: async () => stopWatchingSwitchboard(),
  },
  {
    rule: 'replica_acks_missing',
    below: async () => {
      await publish();
      return '';
    },
    above: async () => {
      const stamp = await stampFor('{a}', '{a}:mark');
      // As if the connection had been lost since.
      await expect(confirmed({ ...stamp, life: stamp.life - 1 })).rejects.toThrow();
      await publish();
    },
  },
  {
    rule: 'mark_weeks',
    below: async () => {
      await addWeeksOfMarks();
      await dropWeekAhead(5);
      return '';
    },
    above: () => dropWeekAhead(4),
    end: () => addWeeksOfMarks(),
  },
  {
    rule: 'redis_memory',
    below: async () => {
      await stockRedis().set('much', 'x'.repeat(30_000_000));
      return limitMemory(0.7);
    },
    above: () => limitMemory(0.9),
    end: async () => {
      await stockRedis().config('SET', 'maxmemory', '0');
      await stockRedis().del('much');
    },
  },
  {
    rule: 'database_connections',
    below: async () => {
      await waiting(20);
      return '';
    },
    above: () => waiting(21),
  },
];

/** Lets Redis have so much memory that it uses this share of it. @returns the alert's subject */
async function limitMemory(share: number): Promise<string> {
  const [, used = '0'] = /used_memory:(\d+)/.exec(await stockRedis().info('memory')) ?? [];
  await stockRedis().config('SET', 'maxmemory', Math.round(Number(used) / share));
  const { redis } = await watchServers();
  return `stock ${redis[0]?.nodes[0]?.node}`;
}

async function dropWeekAhead(n: number) {
  const [row] = await db().$queryRaw<{ week: string }[]>`
    SELECT to_char(week_of_marks(now()) + 7 * ${n}::int, 'YYYYMMDD') AS week`;
  await pool().query(`DROP TABLE processed_messages_${row?.week}`);
}

/** Lets that many statements wait for a connection, tells so, and lets them go. */
async function waiting(statements: number) {
  const busy = await Promise.all(times(20).map(() => pool().connect()));
  const waits = times(statements).map(() => pool().query('SELECT 1'));
  await publish();
  for (const connection of busy) connection.release();
  await Promise.all(waits);
}

/** Rules about servers, tried where one can be killed: lib/servers/servers.timed.integration.test.ts. */
const OF_SERVERS = [
  'redis_node_down',
  'redis_slots_lost',
  'redis_failover',
  'redis_replica_lag',
  'database_replica_down',
  'database_replica_lag',
];

describe('the alert rules', () => {
  it.each(CASES)('[J1 D6] $rule is silent below its threshold and fires above it', async (one) => {
    const { rule, below, above, end } = one;
    const subject = await below();
    await nextRound();
    expect(await statesOf(rule, subject)).toEqual([]);
    try {
      await above(subject);
      // Pending first if the rule needs the state to last; half a minute later it fires.
      await nextRound();
      expect(await statesOf(rule, subject)).toHaveLength(1);
      await nextRound(31);
      expect(await statesOf(rule, subject)).toEqual(['firing']);
    } finally {
      await end?.();
    }
  });

  it('[J1] every one of them is tried here, or where Redis can be stopped', () => {
    const tried = new Set(CASES.map(({ rule }) => rule));
    expect(ALERT_RULE_IDS.filter((rule) => !tried.has(rule))).toEqual(['store_down', ...OF_SERVERS]);
  });
});
