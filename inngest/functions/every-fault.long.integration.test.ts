import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inngest } from '@/inngest/client';
import { sendEvent } from '@/inngest/send-event';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { createConsumers } from '@/lib/order/consumers';
import { consumeMessages, MAX_DELIVERIES } from '@/lib/outbox/consume-messages';
import { readOutboxDepth } from '@/lib/outbox/read-outbox-depth';
import { sweep } from '@/lib/payment/sweep';
import { createOrderFixture, standOf, topicsOf } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import {
  buy,
  countStock,
  createSaleFixture,
  makeOverdue,
  readStates,
  type SaleFixture,
} from '@/lib/purchase/testing/sale-fixture';
import { closeRedis } from '@/lib/redis/client';
import { eventually } from '@/test/support/eventually';
import { allFunctions } from '.';
import { expectKept } from './testing/expect-kept';
import { type Fault, failStatements, underFault } from './testing/fail-statements';
import { refuseOrders } from './testing/refuse-orders';
import { type Call, runFunctions } from './testing/run-functions';

/** Whatever blames a server (decision 106), before a statement and, where a connection breaks, after it. */
const SERVERS_FAULTS: Fault[] = [
  ...['08006', '25006', '28P01', '3D000', '40001', '40P01', '53100', '53200', '53300', '55P03'],
  ...['57014', '57P01', '57P03', '58030', 'XX000', 'ENOTFOUND', 'ECONNREFUSED'],
].map((code): Fault => ({ code }));
SERVERS_FAULTS.push({ code: '08006', answerLost: true }, { code: 'ECONNRESET', answerLost: true });
const nameOf = ({ code, answerLost }: Fault) => (answerLost ? `${code}, answer lost` : code);

/** A sale of one unit whose function is called while its statements fail. `orderNo`: the order in question, if there is one. */
type Case = { sale: SaleFixture; orderNo: string };
type Row = {
  /** Brings the sale to where the function has work. @returns a word of the event that calls it */
  prepare(one: Case): Promise<string>;
  /** Has the executor call the function, with an event of this sale alone. */
  call(one: Case): Promise<unknown>;
  /** How often it is called before the fault ends. */
  calls: number;
  /** Expects that the work was done, once. */
  done(one: Case): Promise<void>;
};

const statusesOf = async ({ sale }: Case) =>
  [...(await readStates(sale.saleId)).values()].map(({ status, isSettled }) =>
    isSettled ? `${status}, settled` : status,
  );
const stockOf = async ({ sale }: Case) => {
  const { redis, postgres } = await countStock(sale.saleId);
  expect(postgres).toEqual({ held: redis.held, sold: redis.sold });
  return redis;
};
const handedOver = (topic: string) =>
  eventually(async () =>
    expect(await db().outgoingMessage.count({ where: { topic, sentAt: null } })).toBe(0),
  );
const buyAs = (one: Case, nth: number) => buy(one.sale, one.sale.userIds[nth] ?? '');
const callDue = ({ sale }: Case) =>
  sendEvent({ id: newId('msg'), name: 'orders/due', data: { saleIds: [sale.saleId] }, ts: Date.now() });

/** Buys the unit, and waits for its order. */
async function place(one: Case): Promise<void> {
  ({ orderNo: one.orderNo } = await buyAs(one, 0));
  await eventually(async () => expect(await statusesOf(one)).toEqual(['pending_payment']));
}

/** Every function of the registry. `null`: it sends no statement, or has a test of its own below. */
const FUNCTIONS: Record<string, Row | null> = {
  'create-orders': {
    prepare: async ({ sale }) => sale.saleId,
    call: async (one) => {
      await buyAs(one, 0);
      await eventually(async () => expect((await readOutboxDepth(one.sale.saleId)).depth).toBe(0));
    },
    // After five its event is sent again.
    calls: 7,
    done: async (one) => {
      expect(await statusesOf(one)).toEqual(['pending_payment']);
      expect(await stockOf(one)).toEqual({ available: 0, held: 1, sold: 0 });
    },
  },
  'release-unpaid': {
    prepare: async (one) => {
      await place(one);
      await makeOverdue([one.orderNo]);
      return one.sale.saleId;
    },
    call: callDue,
    calls: 5,
    done: async (one) => {
      expect(await statusesOf(one)).toEqual(['cancelled, settled']);
      expect(await stockOf(one)).toEqual({ available: 1, held: 0, sold: 0 });
    },
  },
  'confirm-paid': {
    prepare: (one) => place(one).then(() => one.sale.saleId),
    call: async ({ orderNo }) => {
      expect(await payFor(orderNo)).toBe('applied');
      await handedOver('orders/paid');
    },
    calls: 5,
    done: async (one) => {
      expect(await statusesOf(one)).toEqual(['paid, settled']);
      expect(await stockOf(one)).toEqual({ available: 0, held: 0, sold: 1 });
    },
  },
  'refund-late': {
    prepare: async (one) => {
      await place(one);
      await makeOverdue([one.orderNo]);
      await callDue(one);
      await eventually(async () => expect(await statusesOf(one)).toEqual(['cancelled, settled']));
      await buyAs(one, 1);
      await eventually(async () =>
        expect(await statusesOf(one)).toEqual(['cancelled, settled', 'pending_payment']),
      );
      return `pay_${one.orderNo}`;
    },
    call: async ({ orderNo }) => {
      expect(await payFor(orderNo)).toBe('late');
      await handedOver('payments/late');
    },
    calls: 11,
    done: async (one) => {
      expect(await standOf(one.orderNo)).toBe('cancelled, payment refunded');
      const topics = await topicsOf(one.orderNo);
      expect(topics.filter((topic) => topic === 'mail order_refunded')).toHaveLength(1);
      expect(await stockOf(one)).toEqual({ available: 0, held: 1, sold: 0 });
    },
  },
  'set-timers': null,
  sweep: null,
};

/** The calls that meet a fault until it is mended. `statements`: the most that one call has sent. */
type Struck = {
  functionId: string;
  names: string;
  fault: Fault | null;
  failsAt: number;
  calls: number;
  statements: number;
  isCompleted: boolean;
};
const struck: Struck[] = [];
/** Prisma sends what is asked for in one tick together. So the functions wait until the test asks for nothing more. */
let isSetUp = Promise.resolve();

async function handleStruck({ functionId, text }: Call, handle: () => Promise<Response>): Promise<Response> {
  // The sweep of each minute would do what the functions under test have to do.
  if (functionId === 'seckill-sweep') return new Response(null, { status: 500 });
  const one = struck.find((each) => functionId === `seckill-${each.functionId}` && text.includes(each.names));
  if (!one) return handle();
  await isSetUp;
  one.calls += 1;
  const { statements, ...outcome } = await underFault(one.fault, one.failsAt, handle);
  one.statements = Math.max(one.statements, statements);
  if ('error' in outcome) throw outcome.error;
  one.isCompleted = outcome.value.status === 200;
  return outcome.value;
}

let stop: () => Promise<void>;
const mailDir = mkdtempSync(join(tmpdir(), 'seckill-mail-'));
beforeAll(async () => {
  process.env.MAIL_DIR = mailDir;
  stop = await runFunctions(undefined, handleStruck);
  failStatements();
});
afterAll(async () => {
  await stop();
  rmSync(mailDir, { recursive: true, force: true });
  await closeRedis();
  await closeDb();
});

async function prepare(functionId: string, row: Row, fault: Fault | null, failsAt = 0) {
  const one: Case = { sale: await createSaleFixture({ total: 1, users: 2 }), orderNo: '' };
  const names = await row.prepare(one);
  return { one, under: { functionId, names, fault, failsAt, calls: 0, statements: 0, isCompleted: false } };
}

it('has a row for every function', () => {
  const registered = allFunctions(inngest()).map((each) => each.id());
  expect(Object.keys(FUNCTIONS).sort()).toEqual(registered.sort());
});

const rows = Object.entries(FUNCTIONS).flatMap(([id, row]) => (row ? [[id, row] as const] : []));

it.each(rows)(
  '[E3 E5] %s gives up nothing whatever its server says, and does it once',
  async (id, row) => {
    const first = await prepare(id, row, null);
    struck.push(first.under);
    await row.call(first.one);
    await eventually(() => row.done(first.one));
    await eventually(() => expect(first.under.isCompleted).toBe(true));

    // Each fault at the first statement, and at another one.
    const planned = SERVERS_FAULTS.flatMap((fault, nth) =>
      [...new Set([1, (nth % first.under.statements) + 1])].map((failsAt) => ({ fault, failsAt })),
    );
    const cases = await Promise.all(
      planned.map(async ({ fault, failsAt }) => ({ ...(await prepare(id, row, fault, failsAt)), fault })),
    );
    struck.push(...cases.map(({ under }) => under));
    let begin = () => {};
    isSetUp = new Promise<void>((resolve) => {
      begin = resolve;
    });
    // One after the other, so that each has an event of its own.
    for (const { one } of cases) await row.call(one);
    begin();
    // It can do without some statements.
    const isTried = ({ calls, isCompleted }: Struck) => isCompleted || calls >= row.calls;
    await eventually(
      () =>
        expect(cases.filter(({ under }) => !isTried(under)).map(({ fault }) => nameOf(fault))).toEqual([]),
      200,
    );
    expect(await db().deadLetter.findMany()).toEqual([]);
    for (const { under } of cases) under.fault = null;

    // The sweep finishes what a run left behind; it takes up money that is due back only after a minute.
    await db()
      .$executeRaw`UPDATE payments SET updated_at = now() - interval '2 minutes' WHERE status = 'refund_due'`;
    await eventually(async () => {
      await sweep();
      for (const { fault, one } of cases)
        await row.done(one).catch((error) => {
          throw new Error(nameOf(fault), { cause: error });
        });
    }, 1_000);
    expect(await db().deadLetter.findMany()).toEqual([]);
    const fewAtATime = pLimit(4);
    await Promise.all(cases.map(({ one }) => fewAtATime(() => expectKept(one.sale.saleId))));
  },
  600_000,
);

it.each(['22003', '23514', '44000', 'P0001'])(
  '[E5 I9] what is wrong with an order (%s) ends it, and no other',
  async (code) => {
    const bad: Case = { sale: await createSaleFixture({ total: 1 }), orderNo: '' };
    const good: Case = { sale: await createSaleFixture({ total: 1 }), orderNo: '' };
    const mend = await refuseOrders(bad.sale.saleId, code);
    for (const one of [bad, good]) ({ orderNo: one.orderNo } = await buyAs(one, 0));
    await eventually(async () => {
      expect(await statusesOf(bad)).toEqual(['failed, settled']);
      expect(await statusesOf(good)).toEqual(['pending_payment']);
    });
    await mend();
    expect(await stockOf(bad)).toEqual({ available: 1, held: 0, sold: 0 });
    const letters = await db().deadLetter.findMany();
    expect(letters.map(({ consumer, orderNo }) => [consumer, String(orderNo)])).toEqual([
      ['create-orders', bad.orderNo],
    ]);
    await db().deadLetter.deleteMany();
  },
);

it('[E5 E7] a sweep that a server fails is repeated by the next one, which does it once', async () => {
  const orders = await Promise.all(SERVERS_FAULTS.map(() => createOrderFixture({ total: 1 })));
  for (const [nth, fault] of SERVERS_FAULTS.entries()) {
    await makeOverdue([orders[nth]?.orderNo ?? ''], 10);
    for (let failsAt = 1, statements = 1; failsAt <= statements; failsAt += 1) {
      ({ statements } = await underFault(fault, failsAt, sweep));
      if (statements === failsAt) statements += 1;
    }
  }
  await eventually(async () => {
    await sweep();
    for (const sale of orders) await FUNCTIONS['release-unpaid']?.done({ sale, orderNo: sale.orderNo });
  }, 1_000);
  expect(await db().deadLetter.findMany()).toEqual([]);
});

/** Counts the effects of each consumer for an order. */
const EFFECTS: Record<string, (order: { orderNo: string; userId: string }) => Promise<number>> = {
  points: ({ userId }) => db().pointsEntry.count({ where: { userId } }),
  'in-app': ({ userId }) => db().notification.count({ where: { userId } }),
  mail: async ({ orderNo }) => readdirSync(mailDir).filter((name) => name.includes(orderNo)).length,
};

it.each(createConsumers().consumers.map(({ topic }) => topic))(
  '[E3 E5 I3] no %s message is given up whatever the server says, and it is delivered once',
  async (topic) => {
    for (const fault of SERVERS_FAULTS) {
      const order = await createOrderFixture();
      await payFor(order.orderNo);
      const consumer = createConsumers({ halfOpenAfterMs: 1 }).consumers.find((each) => each.topic === topic);
      if (!consumer) throw new Error(topic);
      // One more delivery, and a message at fault would be a dead letter.
      const due = () =>
        db().$executeRaw`
          UPDATE outgoing_messages SET attempts = greatest(attempts, ${MAX_DELIVERIES}), next_attempt_at = now()
          WHERE topic = ${topic} AND sent_at IS NULL`;
      for (let failsAt = 1, statements = 1; failsAt <= statements; failsAt += 1) {
        await due();
        ({ statements } = await underFault(fault, failsAt, () => consumeMessages(consumer)));
        // The claim itself may be the last that this call got to.
        if (statements === failsAt) statements += 1;
      }
      await eventually(async () => {
        await due();
        await consumeMessages(consumer);
        expect(await db().outgoingMessage.count({ where: { topic, sentAt: null } })).toBe(0);
      });
      expect([nameOf(fault), await EFFECTS[topic]?.(order)]).toEqual([nameOf(fault), 1]);
    }
    expect(await db().deadLetter.findMany()).toEqual([]);
  },
);
