import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { EventRefused } from './event-refused';
import { pruneMessages } from './prune-messages';
import { putMessages } from './put-message';
import { relayMessages } from './relay-messages';
import { runMessageRelay } from './run-message-relay';
import { silentLog } from './testing/silent-log';
import type { RelayEvent } from './types';

afterAll(closeDb);
afterEach(() => void vi.useRealTimers());
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
  await db().deadLetter.deleteMany();
});

/** Puts messages that all become known at the same moment. */
const put = (count: number, topic: 'orders/paid' | 'payments/late' = 'orders/paid') =>
  putMessages(
    db(),
    Array.from({ length: count }, (_, at) => ({ topic, payload: { n: String(at + 1) } })),
  );
const unsent = () => db().outgoingMessage.findMany({ where: { sentAt: null }, orderBy: { id: 'asc' } });
const numbers = ({ data }: RelayEvent) => (data.messages as { n: string }[]).map(({ n }) => Number(n));
const dueNow = () =>
  db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() - interval '1 second'`;

/** Creates an executor that takes every message except those for which `isBad` is true. */
function executor(isBad: (n: number) => boolean = () => false) {
  const taken: RelayEvent[] = [];
  const send = async (event: RelayEvent) => {
    if (numbers(event).some(isBad)) throw new EventRefused('400 bad message');
    taken.push(event);
  };
  return { taken, send };
}

describe('relayMessages', () => {
  it('[E3 E9 I8] sends at most 100 messages of one topic as one event, oldest first, each once', async () => {
    await put(120);
    await put(1, 'payments/late');
    const { taken, send } = executor();
    const results = [];
    for (let round = 0; round < 4; round += 1) results.push(await relayMessages(send));
    expect(results).toEqual([
      { status: 'sent', topic: 'orders/paid', count: 100 },
      { status: 'sent', topic: 'orders/paid', count: 20 },
      { status: 'sent', topic: 'payments/late', count: 1 },
      { status: 'idle' },
    ]);
    expect(taken.map(({ name }) => name)).toEqual(['orders/paid', 'orders/paid', 'payments/late']);
    expect(taken.slice(0, 2).flatMap(numbers)).toEqual(Array.from({ length: 120 }, (_, at) => at + 1));
  });

  it('[E3 K5] tells the time by the clock of Postgres: executors start nothing before it', async () => {
    await put(2);
    const stored = await unsent();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
    const { taken, send } = executor();
    await relayMessages(send);
    expect(taken.map(({ ts }) => ts)).toEqual([stored[1]?.createdAt.getTime()]);
  });

  it('[E2 I8] messages that trickle share events; those of another topic do not wait for them', async () => {
    const sent: { name: string; count: number; at: number }[] = [];
    const send = async (event: RelayEvent) => {
      sent.push({ name: event.name, count: numbers(event).length, at: performance.now() });
    };
    await put(2);
    await put(1, 'payments/late');
    const stop = new AbortController();
    const relay = runMessageRelay({ send, log: silentLog }, stop.signal);
    await expect.poll(() => sent.length, { interval: 1 }).toBeGreaterThan(0);
    await put(5);
    await expect.poll(async () => (await unsent()).length).toBe(0);
    stop.abort();
    await relay;
    const [first, other, next] = sent;
    expect([first, other].map((event) => event?.name)).toEqual(['orders/paid', 'payments/late']);
    expect(sent).toHaveLength(3);
    expect(next).toMatchObject({ name: 'orders/paid', count: 5 });
    expect((next?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(95);
  });

  it('[E3 P11] go on after the clock was set back', async () => {
    const { taken, send } = executor();
    const stop = new AbortController();
    const relay = runMessageRelay({ send, log: silentLog }, stop.signal);
    const isSent = () => expect.poll(async () => (await unsent()).length).toBe(0);
    await put(1);
    await isSent();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
    await put(1);
    await isSent();
    stop.abort();
    await relay;
    expect(taken.flatMap(numbers)).toEqual([1, 1]);
  });

  it('[K5] several relays side by side send every message once', async () => {
    await put(300);
    const { taken, send } = executor();
    await Promise.all(Array.from({ length: 6 }, () => relayMessages(send)));
    while ((await relayMessages(send)).status !== 'idle');
    expect(taken.flatMap(numbers).sort((a, b) => a - b).length).toBe(300);
    expect(await unsent()).toEqual([]);
  });

  it('[E3] a relay killed after sending sends again under the same event id', async () => {
    await put(3);
    const ids: string[] = [];
    const dying = async ({ id }: RelayEvent) => {
      ids.push(id);
      // The connection that holds the locks dies before the mark is committed.
      await db().$executeRaw`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'idle in transaction' AND pid <> pg_backend_pid()`;
    };
    await expect(relayMessages(dying)).rejects.toThrow();
    expect(await unsent()).toHaveLength(3);
    await relayMessages(async ({ id }) => void ids.push(id));
    expect(ids).toHaveLength(2);
    expect(ids[0]).toBe(ids[1]);
  });

  it('[I2] while the executor is away messages wait 1, 2, 4 … 60 s and are never given up', async () => {
    await put(1);
    const away = () => Promise.reject(new Error('ECONNREFUSED'));
    const waitsSec: number[] = [];
    for (let attempt = 1; attempt <= 25; attempt += 1) {
      await dueNow();
      expect(await relayMessages(away)).toMatchObject({ status: 'postponed', count: 1 });
      const [row] = await db().$queryRaw<{ sec: number }[]>`
        SELECT ceil(extract(epoch FROM next_attempt_at - now()))::int AS sec FROM outgoing_messages`;
      waitsSec.push(row?.sec ?? -1);
    }
    expect(waitsSec.slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    expect(await unsent()).toMatchObject([{ lastError: 'ECONNREFUSED' }]);
    expect(await relayMessages(executor().send)).toEqual({ status: 'idle' });
    await dueNow();
    expect(await relayMessages(executor().send)).toMatchObject({ status: 'sent', count: 1 });
  });

  it('[E5] a message that is refused is found by halving, sent alone 20 times, then a dead letter', async () => {
    await put(100);
    const { taken, send } = executor((n) => n === 37);
    const stop = new AbortController();
    const relay = runMessageRelay({ send, log: silentLog }, stop.signal);
    await expect.poll(async () => (await unsent()).length).toBe(1);
    stop.abort();
    await relay;
    expect(taken.flatMap(numbers).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 100 }, (_, at) => at + 1).filter((n) => n !== 37),
    );
    // On a busy machine the relay may have made its second or third attempt by now.
    const [{ attempts: made } = { attempts: 0 }] = await unsent();
    expect(made).toBeGreaterThan(0);
    for (let attempt = made; attempt < 20; attempt += 1) {
      expect(await unsent()).toMatchObject([{ attempts: attempt }]);
      await dueNow();
      await relayMessages(send);
    }
    expect(await unsent()).toEqual([]);
    const letters = await db().deadLetter.findMany();
    expect(letters).toMatchObject([
      { consumer: 'orders/paid', payload: { n: '37' }, attempts: 20, error: '400 bad message' },
    ]);
  });
});

describe('pruneMessages', () => {
  it('[E9] deletes what was sent long ago and nothing else', async () => {
    await put(3);
    const [first, second] = await unsent();
    const sentAt = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000);
    await db().outgoingMessage.update({ where: { id: first?.id }, data: { sentAt: sentAt(8) } });
    await db().outgoingMessage.update({ where: { id: second?.id }, data: { sentAt: sentAt(6) } });
    expect(await pruneMessages()).toBe(1);
    expect(await db().outgoingMessage.count()).toBe(2);
    expect(await pruneMessages()).toBe(0);
  });

  it('[E9] goes on past old messages that nobody has taken yet', async () => {
    const [waiting, sent] = [2_500, 2];
    await db().$executeRaw`
      INSERT INTO outgoing_messages (topic, payload, created_at, sent_at)
      SELECT 'mail', '{}', now() - interval '9 days', CASE WHEN n > ${waiting} THEN now() - interval '8 days' END
      FROM generate_series(1, ${waiting + sent}::int) AS n ORDER BY n`;
    expect(await pruneMessages()).toBe(sent);
    expect(await db().outgoingMessage.deleteMany()).toMatchObject({ count: waiting });
  });
});
