import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { editAlertRule } from '@/lib/alert/edit-rule';
import { createOrders } from '@/lib/checkout/order/create-orders';
import { applyPaymentEvent } from '@/lib/checkout/payment/apply-payment-event';
import {
  awaitSlices,
  createSplitSale,
  insist,
  type SplitSale,
  sellTo,
  userIn,
} from '@/lib/checkout/slices/testing/split-sale';
import { createOrderFixture } from '@/lib/checkout/testing/order-fixture';
import { charge, succeeded } from '@/lib/checkout/testing/pay-for';
import { buyForAll, createSaleFixture, forge, makeOverdue } from '@/lib/checkout/testing/sale-fixture';
import { db, pool } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { addWeeksOfMarks } from '@/lib/order/weeks-of-marks';
import { recordDeadLetter } from '@/lib/outbox/record-dead-letter';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { lockLedger } from '@/lib/sale/slice-ledger';
import { publish, type RuleCase, times } from './rule-case';

let split: SplitSale;

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

/** Makes a purchase that has waited this long for its decision. */
const undecided = (saleId: string, secondsAgo: number) =>
  stockRedis().xadd(keys.queue(saleId), `${Date.now() - secondsAgo * 1_000}-0`, 'orderNo', '1');

async function writtenAfter(seconds: number, orders: number) {
  const sale = await createSaleFixture({ users: orders, total: orders });
  const acceptedAt = Date.now() - seconds * 1_000;
  await createOrders({
    saleId: sale.saleId,
    orders: sale.userIds.map((userId) => forge(sale, userId, { acceptedAt })),
  });
  await publish();
}

async function dropWeekAhead(n: number) {
  const [row] = await db().$queryRaw<{ week: string }[]>`
    SELECT to_char(week_of_marks(now()) + 7 * ${n}::int, 'YYYYMMDD') AS week`;
  await pool().query(`DROP TABLE processed_messages_${row?.week}`);
}

/** Rules about orders, payments, messages and what is written. */
export const BUSINESS_CASES: RuleCase[] = [
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
    rule: 'undecided_age',
    below: async () => {
      const { saleId } = await createSaleFixture({ total: 10, users: 1 });
      await db().sale.update({ where: { id: saleId }, data: { strategy: 'queue' } });
      await undecided(saleId, 0);
      return saleId;
    },
    above: async (saleId) => {
      await stockRedis().unlink(keys.queue(saleId));
      await undecided(saleId, 60);
    },
  },
  {
    rule: 'slice_dry',
    below: async () => {
      // One that is read too late is none that is dry.
      awaitSlices();
      const sale = await createSplitSale({ total: 10, users: 0 });
      // Nobody wants more in the slice that has sold its three units.
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
    rule: 'log_heads_late',
    below: async () => {
      await db().$executeRaw`INSERT INTO decision_batches (sale_id, decisions) VALUES ('waits', '[]')`;
      return 'waits';
    },
    above: () => db().$executeRaw`UPDATE decision_batches SET logged_at = now() - interval '11 s'`,
    end: () => db().$executeRaw`DELETE FROM decision_batches`,
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
    rule: 'processing_delay',
    below: async () => {
      await writtenAfter(1, 4);
      return '';
    },
    above: () => writtenAfter(600, 2),
  },
];
