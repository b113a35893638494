import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eraseUser } from '@/lib/account/erase-user';
import { endSessions } from '@/lib/account/sessions/end-sessions';
import { startSession } from '@/lib/account/sessions/start-session';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { findSubscription } from '@/lib/notify/push/find-subscription';
import { pushKey } from '@/lib/notify/push/push-key';
import { removeSubscription } from '@/lib/notify/push/remove-subscription';
import { MAX_BROWSERS, saveSubscription } from '@/lib/notify/push/save-subscription';
import type { Notice } from '@/lib/notify/types';
import { writeNotifications } from '@/lib/notify/write-notifications';
import { writeSaleNotices } from '@/lib/notify/write-sale-notices';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { makeDraft, makeUser } from '@/test/support/make-sale';
import { claimsOf, newBrowser, startPushService } from '@/test/support/push-service';
import { createPushConsumer } from './push-consumer';

const consumer = createPushConsumer();
let service: Awaited<ReturnType<typeof startPushService>>;
let made = 0;

beforeAll(async () => {
  process.env.PUSH_PRIVATE = '1';
  service = await startPushService();
});
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
  service.received.length = 0;
});
afterAll(async () => {
  service.stop();
  await closeDb();
});

/** Somebody who is signed in, with a browser that takes messages. */
async function newShopper(locale = 'en') {
  const { userId } = await makeUser();
  const user = await db().user.update({ where: { id: userId }, data: { locale } });
  const { sessionId } = await startSession(user);
  const owner = { userId, session: { id: sessionId } };
  made += 1;
  const path = `/send/${made}`;
  const browser = newBrowser(service.origin, path);
  expect(await saveSubscription(owner, browser.subscription)).toBe('saved');
  return { userId, email: user.email, owner, path, browser };
}
const noticeFor = (userId: string, email: string, change: Partial<Notice> = {}): Notice => {
  made += 1;
  const orderNo = String(1_000_000 + made);
  return {
    key: `payment_reminder-${orderNo}`,
    userId,
    email,
    locale: 'en',
    saleTitle: 'Lantern',
    kind: 'payment_reminder',
    orderNo,
    amountMinor: 9_900,
    currency: 'CNY',
    payBy: Date.now() + 600_000,
    ...change,
  };
};
const waiting = () => db().outgoingMessage.findMany({ where: { topic: 'push', sentAt: null } });
const makeDue = () =>
  db().$executeRaw`UPDATE outgoing_messages SET next_attempt_at = now() WHERE sent_at IS NULL`;
const receivedAt = (path: string) => service.received.filter((one) => one.path === path);

describe('notices by push', () => {
  it('[O10 M2] reach the browser of their reader, sealed for it and signed by the shop, once', async () => {
    const { userId, email, path, browser } = await newShopper('ru');
    const notice = noticeFor(userId, email);
    expect(await writeNotifications([notice])).toBe(1);
    expect(await writeNotifications([notice])).toBe(0);
    expect(await waiting()).toHaveLength(1);
    expect(await consumeMessages(consumer)).toMatchObject({ sent: 1 });
    const [sent, ...others] = receivedAt(path);
    if (!sent) throw new Error('nothing came');
    expect(others).toEqual([]);
    expect(sent.body.includes('Lantern')).toBe(false);
    expect(browser.read(sent.body)).toEqual({
      title: 'Ждёт оплаты: Lantern',
      body: expect.stringMatching(/Lantern.*99.*UTC/),
      url: `http://localhost:3999/ru/orders/${notice.orderNo}`,
      tag: notice.key,
      lang: 'ru',
    });
    const claims = claimsOf(sent.headers, pushKey()?.publicKey ?? '');
    expect(claims).toMatchObject({ aud: service.origin, sub: 'mailto:no-reply@localhost' });
    expect(sent.headers).toMatchObject({ urgency: 'high', 'content-encoding': 'aes128gcm' });
    // It says nothing any more when the time to pay is over.
    expect(Number(sent.headers.ttl)).toBeGreaterThan(0);
    expect(Number(sent.headers.ttl)).toBeLessThanOrEqual(600);
    expect(await consumeMessages(consumer)).toMatchObject({ status: 'idle' });
  });

  it('[O10 M2] also tell what becomes of a wait in a sale', async () => {
    const { sale } = await makeDraft();
    const { userId, path, browser } = await newShopper();
    const people = [{ userId, place: 7 }];
    expect(await writeSaleNotices(db(), sale.saleId, 'draw_waiting', people)).toEqual(people);
    expect(await writeSaleNotices(db(), sale.saleId, 'draw_waiting', people)).toEqual([]);
    await consumeMessages(consumer);
    const [sent, ...others] = receivedAt(path);
    expect(others).toEqual([]);
    expect(sent && browser.read(sent.body)).toMatchObject({
      title: 'Not drawn, but in line: Lantern',
      body: expect.stringContaining('number 7'),
      url: `http://localhost:3999/sales/${sale.slug}`,
    });
  });

  it('[O10] ask nothing of the outbox for those who have no browser for them', async () => {
    const { userId } = await makeUser();
    expect(await writeNotifications([noticeFor(userId, 'a@example.com')])).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  it('[O10 N3] go to no browser whose session has ended, and to none of a blocked or deleted account', async () => {
    const ended = await newShopper();
    const blocked = await newShopper();
    const deleted = await newShopper();
    const raised = await newShopper();
    const all = [ended, blocked, deleted, raised];
    await writeNotifications(all.map(({ userId, email }) => noticeFor(userId, email)));
    await transaction((tx) => endSessions(tx, ended.userId));
    await db().user.update({ where: { id: blocked.userId }, data: { bannedAt: new Date() } });
    await db().user.update({ where: { id: deleted.userId }, data: { bannedAt: new Date() } });
    await transaction((tx) => eraseUser(tx, deleted.userId));
    await db().user.update({ where: { id: raised.userId }, data: { sessionVersion: 1 } });
    expect(await consumeMessages(consumer)).toMatchObject({ sent: 4 });
    expect(service.received).toEqual([]);
    expect(await db().pushSubscription.count({ where: { userId: deleted.userId } })).toBe(0);
  });

  it('[O10] forget a browser that its push service does not know any more, and no other', async () => {
    const gone = await newShopper();
    const second = newBrowser(service.origin, `${gone.path}/second`);
    await saveSubscription(gone.owner, second.subscription);
    service.status.set(gone.path, 410);
    await writeNotifications([noticeFor(gone.userId, gone.email)]);
    expect(await consumeMessages(consumer)).toMatchObject({ sent: 1 });
    const left = await db().pushSubscription.findMany({ where: { userId: gone.userId } });
    expect(left.map(({ endpoint }) => endpoint)).toEqual([second.subscription.endpoint]);
    expect(receivedAt(`${gone.path}/second`)).toHaveLength(1);
  });

  it('[O10 I9] wait for a push service that is busy, and are dropped after a minute: nobody has to look', async () => {
    const { userId, email, path } = await newShopper();
    service.status.set(path, 503);
    await writeNotifications([noticeFor(userId, email), noticeFor(userId, email)]);
    expect(await consumeMessages(consumer)).toMatchObject({ failed: 2 });
    service.status.delete(path);
    await makeDue();
    expect(await consumeMessages(consumer)).toMatchObject({ sent: 2 });

    service.status.set(path, 429);
    await writeNotifications([noticeFor(userId, email)]);
    for (let tries = 1; tries < 6; tries += 1) {
      expect(await consumeMessages(consumer)).toMatchObject({ failed: 1 });
      await makeDue();
    }
    expect(await consumeMessages(consumer)).toMatchObject({ sent: 1 });
    expect(await db().deadLetter.count({ where: { consumer: 'push' } })).toBe(0);
    expect(await db().pushSubscription.count({ where: { userId } })).toBe(1);
  });
});

describe('a browser that wants messages', () => {
  it('[O10 N5] tells one account at a time, the latest that asked there; nobody else can end it', async () => {
    const first = await newShopper();
    const other = await newShopper();
    await removeSubscription(other.userId, first.browser.subscription.endpoint);
    expect(await findSubscription(first.owner.session.id)).toBe(first.browser.subscription.endpoint);
    expect(await saveSubscription(other.owner, first.browser.subscription)).toBe('saved');
    expect(await findSubscription(first.owner.session.id)).toBeNull();
    await removeSubscription(other.userId, first.browser.subscription.endpoint);
    expect(await findSubscription(other.owner.session.id)).toBe(other.browser.subscription.endpoint);
  });

  it('[O10] is one of ten of an account at most: the oldest makes room', async () => {
    const { owner, path, browser } = await newShopper();
    for (let n = 0; n < MAX_BROWSERS; n += 1)
      await saveSubscription(owner, newBrowser(service.origin, `${path}/${n}`).subscription);
    const kept = await db().pushSubscription.findMany({ where: { userId: owner.userId } });
    expect(kept).toHaveLength(MAX_BROWSERS);
    expect(kept.map(({ endpoint }) => endpoint)).not.toContain(browser.subscription.endpoint);
  });

  it('[O10 G9] is refused with an address inside, a key that is none, or a session that has ended', async () => {
    const { owner, browser } = await newShopper();
    const { subscription } = browser;
    const noPoint = Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]).toString('base64url');
    const save = (change: Partial<typeof subscription>) =>
      saveSubscription(owner, { ...subscription, ...change });
    expect(await save({ keys: { ...subscription.keys, p256dh: noPoint } })).toBe('unusable');
    expect(await save({ endpoint: 'http://' })).toBe('unusable');
    for (const endpoint of [
      'http://push.example.com/1',
      'https://127.0.0.1/1',
      'https://[::1]/1',
      'https://169.254.169.254/1',
      'https://localhost/1',
    ])
      expect(await saveSubscription(owner, { ...subscription, endpoint }, false), endpoint).toBe('unusable');
    await transaction((tx) => endSessions(tx, owner.userId));
    expect(await save({})).toBe('signed_out');
  });
});
