import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { blockingRedis, closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { limitMs } from '@/lib/time-limits';
import { EventRefused, PROBE_TOPIC } from './event-refused';
import { ensureGroup, GROUP } from './group';
import { openSale } from './open-sales';
import { unpackOrders } from './order-batch';
import { readEntries } from './read-entries';
import { readOutboxDepth } from './read-outbox-depth';
import { type OrderRelayOptions, relayOrders } from './relay-orders';
import { silentLog } from './testing/silent-log';
import type { BuriedEntry, RelayEvent } from './types';

const running: { stop: AbortController; done: Promise<void> }[] = [];
let saleId = '';

beforeEach(async () => {
  await stockRedis().del(keys.openSales());
  saleId = `sale_${randomUUID()}`;
  await openSale(saleId);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await stopAll();
});
afterAll(closeRedis);

/** Starts a relay with a new consumer name. */
function start(send: OrderRelayOptions['send'], options: Partial<OrderRelayOptions> = {}) {
  const stop = new AbortController();
  const buried: BuriedEntry[] = [];
  const bury = async (entry: BuriedEntry) => void buried.push(entry);
  const base = { send, bury, consumer: randomUUID(), log: silentLog };
  const done = relayOrders({ ...base, ...options }, stop.signal);
  running.push({ stop, done });
  return { stop, done, buried };
}

async function stopAll() {
  for (const { stop } of running) stop.abort();
  await Promise.all(running.splice(0).map(({ done }) => done));
}

/** Adds accepted purchases as the purchase script records them. */
async function add(count: number, from = 1, sale = saleId): Promise<void> {
  const pipeline = stockRedis().pipeline();
  for (let n = from; n < from + count; n += 1) {
    const fields = {
      orderNo: n,
      userId: `user_${n}`,
      quantity: 1,
      jti: `jti_${n}`,
      epoch: 1,
      acceptedAt: 1_790_000_000_000,
    };
    pipeline.xadd(keys.outbox(sale), '*', ...Object.entries(fields).flat());
  }
  await pipeline.exec();
}

const ordersOf = ({ name, data }: RelayEvent) =>
  name === PROBE_TOPIC ? [] : unpackOrders(data).flatMap(({ orders }) => orders);
const numbers = (event: RelayEvent) => ordersOf(event).map(({ orderNo }) => Number(orderNo));
const ascending = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
const isEmpty = (sale = saleId) => expect.poll(async () => (await readOutboxDepth(sale)).depth).toBe(0);

describe('relayOrders', () => {
  it('[E3 E9] sends events of at most 500 orders, each order once, and deletes what was taken', async () => {
    const other = `sale_${randomUUID()}`;
    await openSale(other);
    await add(1_200);
    await add(10, 2_000, other);
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event));
    await isEmpty();
    await isEmpty(other);
    expect(Math.max(...events.map((event) => numbers(event).length))).toBeLessThanOrEqual(500);
    const batches = events.flatMap(({ data }) => unpackOrders(data));
    const ordersIn = (sale: string) =>
      batches.flatMap(({ saleId, orders }) => (saleId === sale ? orders : []));
    expect(ordersIn(saleId).map(({ orderNo }) => Number(orderNo))).toEqual(ascending(1_200));
    expect(ordersIn(other)).toHaveLength(10);
    expect(ordersIn(saleId)[0]).toEqual({
      orderNo: '1',
      userId: 'user_1',
      quantity: 1,
      jti: 'jti_1',
      epoch: 1,
      acceptedAt: 1_790_000_000_000,
    });
    // The time is by the clock of Redis: executors start nothing before it.
    expect(new Set(events.map(({ ts }) => ts))).toEqual(new Set([1_790_000_000_000]));
    expect(await stockRedis().xlen(keys.outbox(saleId))).toBe(0);
  });

  it('[E9] orders that arrive close together share an event', async () => {
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event), { lingerMs: 200 });
    for (let n = 1; n <= 10; n += 1) await add(1, n);
    await isEmpty();
    expect(events.length).toBeLessThanOrEqual(2);
    expect(events.flatMap(numbers)).toEqual(ascending(10));
  });

  it('[E2 E9] purchases of fifty sales share an event; a sale’s five hundred stay alone', async () => {
    const others = Array.from({ length: 49 }, () => `sale_${randomUUID()}`);
    for (const sale of others) await openSale(sale);
    for (const [at, sale] of others.entries()) await add(2, 1_000 + 2 * at, sale);
    await add(500);
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event));
    await isEmpty();
    for (const sale of others) await isEmpty(sale);
    const sizes = events.map(({ data }) => unpackOrders(data).map(({ orders }) => orders.length));
    expect(sizes.sort((a, b) => a.length - b.length)).toEqual([[500], new Array(49).fill(2)]);
  });

  it('[E5] an order that the executor refuses takes no order of another sale with it', async () => {
    const other = `sale_${randomUUID()}`;
    await openSale(other);
    await add(3);
    await add(3, 11, other);
    const sent: number[] = [];
    const { buried } = start(async (event) => {
      if (numbers(event).includes(12)) throw new EventRefused('400 bad order');
      sent.push(...numbers(event));
    });
    await isEmpty();
    await isEmpty(other);
    expect(buried).toMatchObject([{ saleId: other, fields: { orderNo: '12' } }]);
    expect(sent.sort((a, b) => a - b)).toEqual([1, 2, 3, 11, 13]);
  });

  it('[E2 E9] while a batch is not written the next one grows, and leaves as soon as that is known', async () => {
    const sent: { numbers: number[]; at: number }[] = [];
    let writtenAt = Number.POSITIVE_INFINITY;
    const asked: string[][] = [];
    const whichWritten = async (orderNos: readonly string[]) => {
      asked.push([...orderNos]);
      return new Set(performance.now() >= writtenAt ? orderNos : []);
    };
    start(async (event) => void sent.push({ numbers: numbers(event), at: performance.now() }), {
      whichWritten,
      lingerMs: 1,
    });
    await add(3);
    await expect.poll(() => sent.length).toBe(1);
    for (let n = 4; n <= 8; n += 1) await add(1, n);
    await expect.poll(() => asked.length).toBeGreaterThan(2);
    expect(sent).toHaveLength(1);
    expect(new Set(asked.flat())).toEqual(new Set(['3']));
    writtenAt = performance.now();
    await isEmpty();
    expect(sent.map((event) => event.numbers)).toEqual([
      [1, 2, 3],
      [4, 5, 6, 7, 8],
    ]);
    // Nothing tells that the last event is written: the next batch waits as long as it may, and then leaves.
    writtenAt = Number.POSITIVE_INFINITY;
    const before = sent[1]?.at ?? 0;
    await add(2, 9);
    await isEmpty();
    const waitedMs = (sent[2]?.at ?? 0) - before;
    expect(waitedMs).toBeGreaterThan(limitMs('eventWritten') - 50);
  });

  it('[E2 J1] a Postgres that can not tell what is written holds up no purchase', async () => {
    const events: RelayEvent[] = [];
    const whichWritten = () => Promise.reject(new Error('Postgres is away'));
    start(async (event) => void events.push(event), { whichWritten });
    for (let n = 1; n <= 3; n += 1) {
      await add(1, n);
      await expect.poll(() => events.flatMap(numbers)).toHaveLength(n);
    }
    await isEmpty();
  });

  it('[K5] four relays side by side send every order once', async () => {
    await add(1000);
    const events: RelayEvent[] = [];
    for (let n = 0; n < 4; n += 1) start(async (event) => void events.push(event));
    await isEmpty();
    expect(events.flatMap(numbers).sort((a, b) => a - b)).toEqual(ascending(1000));
  });

  it('[E3] nothing is lost while the executor is away, and all retries carry the same event id', async () => {
    await add(120);
    const ids: string[] = [];
    const events: RelayEvent[] = [];
    let isAway = true;
    const { buried } = start(async (event) => {
      if (numbers(event).includes(1)) ids.push(event.id);
      if (isAway) throw new Error('connect ECONNREFUSED');
      events.push(event);
    });
    await expect.poll(() => ids.length).toBeGreaterThanOrEqual(4);
    expect((await readOutboxDepth(saleId)).depth).toBe(120);
    expect((await readOutboxDepth(saleId)).oldestAgeMs).toBeGreaterThan(0);
    isAway = false;
    await isEmpty();
    expect(new Set(ids).size).toBe(1);
    expect(events.flatMap(numbers)).toEqual(ascending(120));
    expect(buried).toEqual([]);
  });

  it('[E3] what a dead relay had in hand is claimed and sent by another, before that it is left alone', async () => {
    await add(5);
    await ensureGroup(saleId);
    const dead = blockingRedis();
    const held = await readEntries(dead, [saleId], { consumer: 'dead', blockMs: 100, lingerMs: 1 });
    expect(held.get(saleId)).toHaveLength(5);
    dead.disconnect();

    const events: RelayEvent[] = [];
    const patient = start(async (event) => void events.push(event), { minIdleMs: 60_000 });
    await add(1, 6);
    await expect.poll(() => events.flatMap(numbers)).toEqual([6]);
    patient.stop.abort();
    await patient.done;
    expect((await readOutboxDepth(saleId)).depth).toBe(5);

    start(async (event) => void events.push(event), { minIdleMs: 50 });
    await isEmpty();
    expect(events.flatMap(numbers)).toEqual([6, 1, 2, 3, 4, 5]);
  });

  it('[E3] a relay that is busy retrying keeps its entries', async () => {
    await add(3);
    const senders: string[] = [];
    let isAway = true;
    const send = (who: string) => async () => {
      senders.push(who);
      if (isAway) throw new Error('away');
    };
    start(send('first'), { minIdleMs: 3_000, retryMaxMs: 200 });
    await expect.poll(() => senders.length).toBeGreaterThan(0);
    start(send('second'), { minIdleMs: 3_000 });
    // They take 4.5 s. If the first relay did not keep its claim, it would have lost the entries by then.
    await expect.poll(() => senders.length).toBeGreaterThanOrEqual(24);
    isAway = false;
    await isEmpty();
    expect(new Set(senders)).toEqual(new Set(['first']));
  });

  it('[E5] an order the executor refuses is found by halving and buried alone', async () => {
    await add(100);
    const events: RelayEvent[] = [];
    const { buried } = start(async (event) => {
      if (numbers(event).some((n) => n === 37 || n === 38)) throw new EventRefused('400 bad order');
      events.push(event);
    });
    await isEmpty();
    expect(buried.map(({ fields, error }) => [fields.orderNo, error])).toEqual([
      ['37', '400 bad order'],
      ['38', '400 bad order'],
    ]);
    expect(events.flatMap(numbers)).toEqual(ascending(100).filter((n) => n !== 37 && n !== 38));
  });

  it('[E3 P1] what refuses everything in the executor’s place ends no order: all leave, in their order, once it is gone', async () => {
    await add(20);
    const events: RelayEvent[] = [];
    let isInTheWay = true;
    let probes = 0;
    const { buried } = start(async (event) => {
      if (event.name === PROBE_TOPIC) probes += 1;
      if (isInTheWay) throw new EventRefused('400 Bad Request');
      events.push(event);
    });
    await expect.poll(() => probes).toBeGreaterThanOrEqual(3);
    expect((await readOutboxDepth(saleId)).depth).toBe(20);
    isInTheWay = false;
    await isEmpty();
    expect(events.flatMap(numbers)).toEqual(ascending(20));
    expect(buried).toEqual([]);
  });

  it('[E5 E6 P1] an order is given up once it is refused right after the executor took something else', async () => {
    await add(1);
    const answers = [
      // Everything is refused; the executor is back for a moment; it takes the other and not this.
      ...['refuse', 'refuse'],
      ...['refuse', 'take', 'away'],
      ...['refuse', 'take', 'refuse'],
    ];
    const sent: string[] = [];
    const { buried } = start(async ({ name }) => {
      sent.push(name);
      const answer = answers.shift();
      if (answer === 'refuse') throw new EventRefused('400 bad order');
      if (answer === 'away') throw new Error('connect ECONNREFUSED');
    });
    await isEmpty();
    expect(buried).toMatchObject([{ fields: { orderNo: '1' }, error: '400 bad order' }]);
    const [order, probe] = ['orders/accepted', PROBE_TOPIC];
    expect(sent).toEqual([order, probe, order, probe, order, order, probe, order]);
  });

  it('[E3 P1] an order refused just before the executor is back is sent', async () => {
    await add(1);
    const sent: string[] = [];
    const { buried } = start(async ({ name }) => {
      if (sent.push(name) === 1) throw new EventRefused('400 Bad Request');
    });
    await isEmpty();
    expect(sent).toEqual(['orders/accepted', PROBE_TOPIC, 'orders/accepted']);
    expect(buried).toEqual([]);
  });

  it('[E5] malformed entries are buried, the others sent', async () => {
    await add(1);
    await stockRedis().xadd(keys.outbox(saleId), '*', 'orderNo', '7', 'userId', 'user_7');
    await add(1, 2);
    const events: RelayEvent[] = [];
    const { buried } = start(async (event) => void events.push(event));
    await isEmpty();
    expect(buried).toMatchObject([{ saleId, fields: { orderNo: '7', userId: 'user_7' } }]);
    expect(events.flatMap(numbers)).toEqual([1, 2]);
  });

  it('[E3] an entry stays when it could not be buried', async () => {
    await stockRedis().xadd(keys.outbox(saleId), '*', 'orderNo', 'nonsense');
    let tries = 0;
    const bury = async () => {
      tries += 1;
      if (tries < 3) throw new Error('database away');
    };
    start(async () => {}, { bury, minIdleMs: 20 });
    await isEmpty();
    expect(tries).toBe(3);
  });

  it('[E3] goes on after Redis has lost streams and groups', async () => {
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event));
    await add(1);
    await isEmpty();
    await stockRedis().del(keys.outbox(saleId));
    await add(2, 2);
    await expect.poll(() => events.flatMap(numbers)).toEqual([1, 2, 3]);
  });

  it('[E3] goes on after its connections were cut', async () => {
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event));
    await add(1);
    await isEmpty();
    await stockRedis().call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await add(2, 2);
    await expect.poll(() => events.flatMap(numbers)).toEqual([1, 2, 3]);
  });

  it('[E3 P11] goes on, and finds new sales, after the clock was set back', async () => {
    const events: RelayEvent[] = [];
    start(async (event) => void events.push(event));
    await add(1);
    await isEmpty();
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() - 3_600_000);
    const other = `sale_${randomUUID()}`;
    await openSale(other);
    await add(1, 2);
    await isEmpty();
    await add(1, 3, other);
    await isEmpty(other);
    expect(events.flatMap(numbers)).toEqual([1, 2, 3]);
  });

  it('[E3] stopping finishes the batch in hand', async () => {
    await add(3);
    const events: RelayEvent[] = [];
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const relay = start(async (event) => {
      relay.stop.abort();
      await gate;
      events.push(event);
    });
    await expect.poll(() => relay.stop.signal.aborted).toBe(true);
    release();
    await relay.done;
    expect(events.flatMap(numbers)).toEqual([1, 2, 3]);
    const [pending] = (await stockRedis().xpending(keys.outbox(saleId), GROUP)) as [number];
    expect(pending).toBe(0);
  });
});
