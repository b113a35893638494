import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { guardedSend } from '@/lib/outbox/send-guarded';
import { makeUser } from '@/test/support/make-sale';
import { claimDeliveries } from './claim-deliveries';
import { runWebhooks } from './run-webhooks';
import { serveWebhook } from './serve-webhook';
import { deliveriesOf, makeWebhook } from './testing/make-webhook';
import { startReceiver } from './testing/start-receiver';
import { makeWebhookSecret, sealWebhookSecret } from './webhook-secret';

const BODY = JSON.stringify({
  type: 'webhook.test',
  timestamp: '2026-11-26T12:00:00.000Z',
  data: { webhookId: 'ü' },
});
/** Waits for whoever answers, however slow the machine. */
const send = guardedSend({ allowsPrivate: true, timeoutMs: 60_000 });
const sendImpatiently = guardedSend({ allowsPrivate: true, timeoutMs: 1_000 });

let receiver: Awaited<ReturnType<typeof startReceiver>>;
let shopId = '';
beforeAll(async () => {
  ({ userId: shopId } = await makeUser('merchant'));
  await db().shop.create({ data: { id: shopId, name: 'Shop' } });
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await receiver.stop();
  await db().webhookEndpoint.deleteMany();
});
afterAll(closeDb);

const put = (endpointId: string, count = 1) =>
  db().webhookDelivery.createManyAndReturn({
    data: Array.from({ length: count }, (_, at) => ({
      endpointId,
      eventId: `evt_${at}`,
      kind: 'webhook.test',
      body: BODY,
    })),
  });
/** Makes a webhook with one delivery and tries that once. */
async function tryOnce(path = '/', by = send) {
  const webhook = await makeWebhook(shopId, `${receiver.url}${path}`);
  await put(webhook.id);
  const triedAt = Date.now();
  await serveWebhook(webhook.id, by);
  const [delivery] = await deliveriesOf(webhook.id);
  return {
    ...webhook,
    triedAt,
    delivery,
    row: await db().webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } }),
  };
}
const headersOf = (at = 0) => receiver.got[at]?.headers as Record<string, string>;

describe('[O6] a delivery', () => {
  it('is signed so that the official package verifies it with the secret, and with no other', async () => {
    const { secret, delivery } = await tryOnce('/in?x=1');
    expect(receiver.got).toHaveLength(1);
    expect(receiver.got[0]).toMatchObject({ path: '/in?x=1', body: BODY });
    expect(new Webhook(secret).verify(receiver.got[0]?.body ?? '', headersOf())).toEqual(JSON.parse(BODY));
    expect(() => new Webhook(makeWebhookSecret()).verify(receiver.got[0]?.body ?? '', headersOf())).toThrow();
    expect(() => new Webhook(secret).verify(`${BODY} `, headersOf())).toThrow();
    expect(headersOf()['webhook-id']).toBe('evt_0');
    expect(delivery).toMatchObject({ status: 'sent', attempts: 1, lastStatus: 204, lastError: null });
  });

  it('carries a signature of the secret before as well, until that is over', async () => {
    const { id, secret } = await makeWebhook(shopId, receiver.url);
    const old = makeWebhookSecret();
    const { sealedSecret, keyMark } = sealWebhookSecret(id, old);
    const oldUntil = new Date(Date.now() + 60_000);
    const data = { oldSealedSecret: sealedSecret, oldKeyMark: keyMark, oldUntil };
    await db().webhookEndpoint.update({ where: { id }, data });
    await put(id);
    await serveWebhook(id, send);
    for (const each of [secret, old]) new Webhook(each).verify(BODY, headersOf());
    await db().webhookEndpoint.update({ where: { id }, data: { oldUntil: new Date(Date.now() - 1) } });
    await db().webhookDelivery.updateMany({ data: { status: 'waiting', nextAt: new Date(0) } });
    await serveWebhook(id, send);
    new Webhook(secret).verify(BODY, headersOf(1));
    expect(() => new Webhook(old).verify(BODY, headersOf(1))).toThrow();
  });

  it.each([500, 404, 302])(
    'answered %i waits for its next attempt, and no redirect is followed',
    async (status) => {
      receiver.answer = (response) =>
        void response.writeHead(status, { location: `${receiver.url}/elsewhere` }).end();
      const { delivery, row, triedAt } = await tryOnce();
      expect(receiver.got.map(({ path }) => path)).toEqual(['/']);
      expect(delivery).toMatchObject({
        status: 'waiting',
        attempts: 1,
        lastStatus: status,
        lastError: 'answer',
      });
      expect(delivery?.nextAt.getTime()).toBeGreaterThan(triedAt);
      expect(row).toMatchObject({ disabledAt: null, restUntil: null });
      expect(row.failingSince).not.toBeNull();
    },
  );

  it('that gets no answer in time, or a cut connection, lets its webhook rest', async () => {
    receiver.answer = () => undefined;
    const slow = await tryOnce('/', sendImpatiently);
    expect(slow.delivery).toMatchObject({ status: 'waiting', lastStatus: null, lastError: 'timeout' });
    receiver.answer = (response) => void response.socket?.destroy();
    const cut = await tryOnce();
    expect(cut.delivery).toMatchObject({ status: 'waiting', lastStatus: null, lastError: 'unreachable' });
    for (const { row, id, triedAt } of [slow, cut]) {
      expect(row.restUntil?.getTime()).toBeGreaterThan(triedAt);
      const restUntil = new Date(Date.now() + 3_600_000);
      await db().webhookEndpoint.updateMany({ where: { id, restUntil: { not: null } }, data: { restUntil } });
      expect(await claimDeliveries(id, 1)).toBeNull();
    }
  });

  it('is over with the head of the answer, however long that goes on', async () => {
    receiver.answer = (response) => {
      response.writeHead(200);
      const chunk = randomBytes(65_536);
      const more = () => {
        while (!response.destroyed && response.write(chunk));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    };
    expect((await tryOnce()).delivery).toMatchObject({ status: 'sent', lastStatus: 200 });
  });

  it('answered 410 turns its webhook off, and so does one that fails after three days without any that arrived', async () => {
    receiver.answer = (response) => void response.writeHead(410).end();
    const gone = await tryOnce();
    expect(gone.row).toMatchObject({ disabledWhy: 'gone' });
    expect(gone.delivery).toMatchObject({ status: 'failed', lastStatus: 410 });
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await tryOnce();
    const failingSince = new Date(Date.now() - 3 * 86_400_000 - 1_000);
    await db().webhookEndpoint.update({ where: { id }, data: { failingSince } });
    await db().webhookDelivery.updateMany({ where: { endpointId: id }, data: { nextAt: new Date(0) } });
    await serveWebhook(id, send);
    expect(await db().webhookEndpoint.findUnique({ where: { id } })).toMatchObject({
      disabledWhy: 'failing',
    });
    expect(await claimDeliveries(id, 1)).toBeNull();
  });

  it('is given up a day after it was due', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    const { id } = await makeWebhook(shopId, receiver.url);
    await put(id);
    await db().webhookDelivery.updateMany({ data: { dueAt: new Date(Date.now() - 86_400_000) } });
    await serveWebhook(id, send);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'failed', lastStatus: 500 }]);
  });

  it('that a killed worker had in hand comes again', async () => {
    const { id } = await makeWebhook(shopId, receiver.url);
    await put(id);
    expect((await claimDeliveries(id, 5))?.deliveries).toHaveLength(1);
    expect((await claimDeliveries(id, 5))?.deliveries).toHaveLength(0);
    await db().$executeRaw`UPDATE webhook_deliveries SET next_at = next_at - interval '60 seconds'`;
    await serveWebhook(id, send);
    expect(await deliveriesOf(id)).toMatchObject([{ status: 'sent', attempts: 2 }]);
  });

  it('goes to no private address, whatever names it', async () => {
    const guarded = guardedSend({ allowsPrivate: false });
    const port = new URL(receiver.url).port;
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
      '10.0.0.1',
      '[fd00::1]',
    ]) {
      const { id } = await makeWebhook(shopId, `https://${host}:${port}/`);
      await put(id);
      await serveWebhook(id, guarded);
      expect(await deliveriesOf(id), host).toMatchObject([{ status: 'waiting', lastError: 'unreachable' }]);
    }
    expect(receiver.got).toEqual([]);
  });
});

it('[O6] a webhook that does not answer holds up no other, and what it had not begun goes back', async () => {
  const dead = await startReceiver();
  dead.answer = () => undefined;
  const slow = await makeWebhook(shopId, dead.url);
  const quick = await makeWebhook(shopId, receiver.url);
  await put(slow.id, 50);
  await put(quick.id, 50);
  const stopping = new AbortController();
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  const running = runWebhooks(
    silent,
    stopping.signal,
    guardedSend({ allowsPrivate: true, timeoutMs: 12_000 }),
  );
  await expect.poll(() => receiver.got.length).toBe(50);
  await expect
    .poll(() => db().webhookEndpoint.findUnique({ where: { id: slow.id } }))
    .toMatchObject({ restUntil: expect.any(Date) });
  stopping.abort();
  await running;
  await dead.stop();
  expect(dead.got.length).toBeLessThanOrEqual(8);
  const left = await deliveriesOf(slow.id);
  expect(left.filter(({ attempts }) => attempts === 0).length).toBeGreaterThanOrEqual(42);
  expect(new Set((await deliveriesOf(quick.id)).map(({ status }) => status))).toEqual(new Set(['sent']));
});
