import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createBreaker } from '@/lib/breaker/create-breaker';
import type { ConsumedTopic } from '@/lib/contract/words/queue';
import { closeDb, db } from '@/lib/db/client';
import { limitMs } from '@/lib/time-limits';
import { type ConsumedMessage, consumeMessages, isMessagesFault, MAX_DELIVERIES } from './consume-messages';
import { MessageRefused } from './message-refused';
import { putMessages } from './put-message';
import { relayMessages } from './relay-messages';

afterAll(closeDb);
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
  await db().deadLetter.deleteMany();
});

/** Long enough that it does not pass between two lines on a busy machine. */
const HALF_OPEN_AFTER_MS = 1_000;

const put = (count: number, topic: ConsumedTopic = 'points') =>
  putMessages(
    db(),
    Array.from({ length: count }, (_, n) => ({ topic, payload: { n: String(n + 1), orderNo: '1024' } })),
  );
const unsent = () => db().outgoingMessage.findMany({ where: { sentAt: null }, orderBy: { id: 'asc' } });
const makeDue = () =>
  db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE sent_at IS NULL`;
const numberOf = ({ payload }: ConsumedMessage) => Number(payload.n);

/** Creates a consumer that records the messages it gets; `act` may throw. */
function consumer(
  act: (n: number) => void | Promise<void> = () => {},
  more: { concurrency?: number; topic?: ConsumedTopic; batch?: number } = {},
) {
  const delivered: number[] = [];
  const gate = createBreaker({
    service: `test-${Math.random()}`,
    failures: 5,
    halfOpenAfterMs: HALF_OPEN_AFTER_MS,
    isFault: (error) => !isMessagesFault(error),
  });
  const deliver = async (messages: readonly ConsumedMessage[]) => {
    for (const message of messages) await act(numberOf(message));
    delivered.push(...messages.map(numberOf));
  };
  return { delivered, topic: 'points' as const, batch: 100, gate, deliver, ...more };
}

const down = () => {
  throw new Error('service down');
};
const fail = (bad: number) => (n: number) => {
  if (n === bad) throw Object.assign(new Error('value out of range'), { code: '22003' });
};

describe('consumeMessages', () => {
  it('[I8 E9] takes its own topic in batches, oldest first; the relay leaves it alone', async () => {
    await put(120);
    await put(3, 'mail');
    const points = consumer();
    expect(await consumeMessages(points)).toEqual({ status: 'consumed', sent: 100, failed: 0, postponed: 0 });
    expect(await consumeMessages(points)).toMatchObject({ sent: 20 });
    expect(await consumeMessages(points)).toEqual({ status: 'idle' });
    expect(points.delivered).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
    expect((await unsent()).map(({ topic }) => topic)).toEqual(['mail', 'mail', 'mail']);
    expect(await relayMessages(async () => {})).toEqual({ status: 'idle' });
  });

  it('[I8] what was put a moment ago is due, although stored moments are rounded to ms', async () => {
    const points = consumer();
    for (let n = 1; n <= 100; n += 1) {
      await put(1);
      expect(await consumeMessages(points)).toMatchObject({ sent: 1 });
    }
  });

  it('[K5] several workers side by side deliver every message once', async () => {
    await put(300);
    const workers = Array.from({ length: 4 }, () => consumer(undefined, { batch: 20 }));
    await Promise.all(
      workers.map(async (worker) => {
        for (let turn = 0; turn < 40; turn += 1) await consumeMessages(worker);
      }),
    );
    const all = workers.flatMap(({ delivered }) => delivered).sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 300 }, (_, at) => at + 1));
  });

  it('[I2] a message that fails waits 1, 2, 4 … 60 s while the others go through', async () => {
    await put(5);
    const points = consumer(fail(3));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      await consumeMessages(points);
      const [bad, ...others] = await unsent();
      expect(others).toEqual([]);
      expect(bad).toMatchObject({ attempts: attempt, lastError: 'value out of range' });
      waits.push(Math.ceil(((bad?.nextAttemptAt.getTime() ?? 0) - Date.now()) / 1000));
      await makeDue();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(points.delivered).toEqual([1, 2, 4, 5]);
  });

  it('[E5 E6] the 10th failure is the last: a dead letter with payload and error', async () => {
    await put(1);
    const points = consumer(fail(1));
    for (let attempt = 1; attempt <= MAX_DELIVERIES; attempt += 1) {
      expect(await db().deadLetter.count()).toBe(0);
      expect(await consumeMessages(points)).toMatchObject({ failed: 1 });
      await makeDue();
    }
    expect(await consumeMessages(points)).toEqual({ status: 'idle' });
    expect(await db().deadLetter.findMany()).toMatchObject([
      {
        consumer: 'points',
        error: 'value out of range',
        attempts: MAX_DELIVERIES,
        orderNo: 1024n,
        payload: { n: '1', orderNo: '1024' },
      },
    ]);
    expect(await unsent()).toEqual([]);
  });

  it('[E5 E6 P12] a refusal is final: one delivery, then a dead letter that says why', async () => {
    await put(3);
    const points = consumer((n) => {
      if (n === 2) throw new MessageRefused('550 no such user');
    });
    expect(await consumeMessages(points)).toMatchObject({ sent: 2, failed: 1 });
    expect(await unsent()).toEqual([]);
    expect(await db().deadLetter.findMany()).toMatchObject([
      { consumer: 'points', error: '550 no such user', attempts: 1 },
    ]);
  });

  it('[E5 I2] while a server is away a message waits as long as it takes, its breaker closed or not', async () => {
    await put(1);
    const points = consumer(() => {
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
    });
    // Lets every message through: the breaker must not be what keeps it.
    const gate = { admits: 'all' as const, run: <T>(work: () => Promise<T>) => work() };
    for (let attempt = 1; attempt <= MAX_DELIVERIES + 2; attempt += 1) {
      expect(await consumeMessages({ ...points, gate })).toMatchObject({ failed: 1 });
      await makeDue();
    }
    expect(await db().deadLetter.count()).toBe(0);
    expect(await unsent()).toMatchObject([{ attempts: MAX_DELIVERIES + 2 }]);
  });

  it('[E3] what a killed worker had claimed comes again after its claim', async () => {
    await put(2);
    let release = () => {};
    const stuck = consumeMessages(consumer(() => new Promise<void>((resolve) => (release = resolve))));
    await expect.poll(async () => (await unsent()).every(({ attempts }) => attempts === 1)).toBe(true);
    const next = consumer();
    expect(await consumeMessages(next)).toEqual({ status: 'idle' });
    await db()
      .$executeRaw`UPDATE outgoing_messages SET next_attempt_at = next_attempt_at - make_interval(secs => ${limitMs('messageClaim') / 1000}::int)`;
    expect(await consumeMessages(next)).toMatchObject({ sent: 2 });
    const letGo = setInterval(() => release(), 5);
    await stuck;
    clearInterval(letGo);
  });
});

describe('a service that is down', () => {
  it('[J3] pauses its consumer; messages wait and lose no attempts; the other consumer goes on', async () => {
    await put(50);
    await put(50, 'in-app');
    let isDown = true;
    const points = consumer(() => (isDown ? down() : undefined));
    const inApp = consumer(undefined, { topic: 'in-app' });
    expect(await consumeMessages(points)).toMatchObject({ status: 'consumed', sent: 0 });
    expect(points.gate.state).toBe('open');
    expect(await consumeMessages(points)).toEqual({ status: 'paused' });
    expect(await consumeMessages(inApp)).toMatchObject({ sent: 50 });

    // Four were tried before the breaker knew. Failed probes use up no attempts, however long the outage lasts.
    const burnt = async () => (await unsent()).reduce((sum, { attempts }) => sum + attempts, 0);
    const atOpening = await burnt();
    expect(atOpening).toBeLessThanOrEqual(5);
    for (let probe = 0; probe < 3; probe += 1) {
      await expect.poll(() => points.gate.admits).toBe('one');
      expect(await consumeMessages(points)).toMatchObject({ postponed: 1, sent: 0, failed: 0 });
    }
    expect(await burnt()).toBe(atOpening);
    expect(await db().deadLetter.count()).toBe(0);

    isDown = false;
    await expect.poll(() => points.gate.admits).toBe('one');
    expect(await consumeMessages(points)).toMatchObject({ sent: 1 });
    await makeDue();
    expect(await consumeMessages(points)).toMatchObject({ sent: 49 });
    expect(points.delivered).toHaveLength(50);
  });

  it('[J3 I2] what a batch needs is read at once; a message that fails does so alone', async () => {
    await put(20, 'mail');
    const reads: number[] = [];
    const prepared: number[] = [];
    const prepare = async (messages: readonly ConsumedMessage[]) => {
      reads.push(messages.length);
      return async (message: ConsumedMessage) => {
        fail(7)(numberOf(message));
        prepared.push(numberOf(message));
      };
    };
    const mail = { ...consumer(down, { topic: 'mail', concurrency: 4 }), prepare };
    expect(await consumeMessages(mail)).toEqual({ status: 'consumed', sent: 19, failed: 1, postponed: 0 });
    expect(reads).toEqual([20]);
    expect(new Set(prepared).size).toBe(19);
    expect((await unsent()).map(({ payload, lastError }) => ({ payload, lastError }))).toEqual([
      { payload: { n: '7', orderNo: '1024' }, lastError: 'value out of range' },
    ]);
    expect(mail.gate.state).toBe('closed');
  });

  it('[J3 I2] if that can not be read for all, each message is left to itself', async () => {
    await put(8, 'mail');
    const mail = { ...consumer(fail(3), { topic: 'mail', concurrency: 4 }), prepare: async () => down() };
    expect(await consumeMessages(mail)).toMatchObject({ sent: 7, failed: 1, postponed: 0 });
    expect(mail.gate.state).toBe('closed');
  });

  it('[J3 E3] what has not begun in time goes back untouched, and comes with the next batch', async () => {
    await put(20, 'mail');
    const stop = new AbortController();
    let begun = 0;
    const stopAtFourth = async () => {
      begun += 1;
      if (begun === 4) stop.abort();
    };
    const mail = consumer(stopAtFourth, { topic: 'mail', concurrency: 4 });
    expect(await consumeMessages({ ...mail, startWithinMs: 0 })).toMatchObject({ sent: 0, postponed: 20 });
    expect((await unsent()).map(({ attempts }) => attempts)).toEqual(Array(20).fill(0));
    expect(await consumeMessages(mail, stop.signal)).toMatchObject({ sent: 4, failed: 0, postponed: 16 });
    expect((await unsent()).map(({ attempts }) => attempts)).toEqual(Array(16).fill(0));
    expect(await consumeMessages(mail)).toMatchObject({ sent: 16, postponed: 0 });
    expect([...mail.delivered].sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  });

  it('[J3] with several at a time the ones not tried yet go back untouched', async () => {
    await put(8, 'mail');
    const mail = consumer(down, { topic: 'mail', concurrency: 2 });
    expect(await consumeMessages(mail)).toMatchObject({ sent: 0 });
    expect(mail.gate.state).toBe('open');
    const attempts = (await unsent()).map((message) => message.attempts);
    expect(attempts).toHaveLength(8);
    expect(attempts.filter((count) => count === 0).length).toBeGreaterThanOrEqual(3);
  });
});
