import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { issueEntry } from '@/lib/checkout/entry/issue-entry';
import { tendLines } from '@/lib/checkout/line/tend-lines';
import { closeDb, db } from '@/lib/db/client';
import { forgetLine, readLine } from '@/lib/line/find-line';
import { placesOf } from '@/lib/line/places';
import { listNotifications } from '@/lib/notify/list-notifications';
import { releaseOrderNos } from '@/lib/order/issue-order-no';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { closeRedis, stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { createLineSale, startsIn } from '@/test/support/line-sale';
import { runDraws } from '../draw/run-draws';
import { createDrawFixture } from '../draw/testing/draw-fixture';
import { joinSaleLine } from '../line/join-sale-line';
import { createConsumers } from '../order/consumers';
import { releaseUnpaid } from '../order/release-unpaid';
import { drainOutbox } from '../testing/drain-outbox';
import { buy, makeOverdue, readStates } from '../testing/sale-fixture';
import { settleWaitlist } from '../waitlist/tend-waitlists';
import { join as joinList, soldOut } from '../waitlist/testing/waitlist-fixture';
import { createCrowdMailConsumer } from './crowd-mail-consumer';
import { notifyWaiting } from './notify-waiting';

/** A small crowd, for the tests; `TELL_PEOPLE=200000` shows how long a large one takes. */
const PEOPLE = Number(process.env.TELL_PEOPLE ?? 1_700);
const mailDir = mkdtempSync(join(tmpdir(), 'seckill-mail-'));
beforeAll(() => {
  process.env.MAIL_DIR = mailDir;
});
beforeEach(async () => {
  await db().$executeRaw`UPDATE sales SET paused = true WHERE admission = 'draw'`;
  await db()
    .$executeRaw`UPDATE sales SET ends_at = now() - interval '2 days', starts_at = now() - interval '3 days', entry_opens_at = now() - interval '3 days' WHERE waitlist`;
  await db().outgoingMessage.deleteMany();
});
afterAll(async () => {
  rmSync(mailDir, { recursive: true, force: true });
  await releaseOrderNos();
  await Promise.all([closeRedis(), closeDb()]);
});

const member = (userId: string) => ({ userId, device: '', level: 0, createdAt: 0, emailVerifiedAt: 1 });
/** Who was told what, and the place that was told, in order of the places. */
const toldIn = (saleId: string) =>
  db().$queryRaw<{ userId: string; kind: string; place: number | null }[]>`
    SELECT user_id AS "userId", kind, (data->>'place')::int AS place FROM notifications
    WHERE message_id LIKE '%' || ${saleId} || '%' ORDER BY place, user_id`;
const mailsFor = (saleId: string) =>
  db().$queryRaw<{ userId: string; kind: string }[]>`
    SELECT payload->>'userId' AS "userId", payload->>'kind' AS kind FROM outgoing_messages
    WHERE topic = 'crowd-mail' AND payload->>'saleId' = ${saleId} ORDER BY 1`;
const orderNotices = (saleId: string) =>
  db().$queryRaw<{ kind: string; orderNo: string }[]>`
    SELECT payload->>'kind' AS kind, payload->>'orderNo' AS "orderNo" FROM outgoing_messages
    WHERE topic = 'mail' AND payload->>'saleId' = ${saleId} ORDER BY 2`;
const waitingIn = (saleId: string) => stockRedis().zrange(keys.waitlist(saleId), '0', '-1');
const end = (saleId: string, secondsAgo: number) =>
  db().$executeRaw`
    UPDATE sales SET starts_at = now() - interval '2 hours', entry_opens_at = now() - interval '3 hours',
                     ends_at = now() - make_interval(secs => ${secondsAgo}::int) WHERE id = ${saleId}`;
const hasBegun = async (saleId: string) => (await toldIn(saleId)).length > 0;
const tellAll = async () => {
  for (let rounds = 0; rounds < 100; rounds += 1) if ((await notifyWaiting()) === 0) return;
};

describe('after a draw', () => {
  it('[M2] who won is told until when to pay; who did not is told the place in line, once', async () => {
    const { saleId } = await createDrawFixture({ users: 8, total: 3 });
    expect(await runDraws()).toBe(1);
    const waiting = await waitingIn(saleId);
    expect(waiting).toHaveLength(5);
    const told = await Promise.all([notifyWaiting(), notifyWaiting(), notifyWaiting()]);
    expect(told.reduce((sum, count) => sum + count)).toBe(5);
    expect(await toldIn(saleId)).toEqual(
      waiting.map((userId, at) => ({ userId, kind: 'draw_waiting', place: at + 1 })),
    );
    expect(await mailsFor(saleId)).toEqual(
      waiting.toSorted().map((userId) => ({ userId, kind: 'draw_waiting' })),
    );
    expect(await notifyWaiting()).toBe(0);

    await drainOutbox(saleId);
    await settleWaitlist(saleId);
    const winners = await orderNotices(saleId);
    expect(winners.map(({ kind }) => kind)).toEqual(['draw_won', 'draw_won', 'draw_won']);
    for (const consumer of createConsumers().consumers) await consumeMessages(consumer);
    const mail = readFileSync(join(mailDir, `draw_won-${winners[0]?.orderNo}.eml`), 'utf8').replaceAll(
      '=\r\n',
      '',
    );
    expect(mail).toMatch(/Please pay =E2=82=AC[\d.]+ by \d{4}-\d\d-\d\d \d\d:\d\d UTC/);

    // A unit that comes back is not a draw that was won.
    const [lapsed = ''] = [...(await readStates(saleId)).keys()];
    await makeOverdue([lapsed]);
    await releaseUnpaid([lapsed]);
    await drainOutbox(saleId);
    await settleWaitlist(saleId);
    expect((await orderNotices(saleId)).map(({ kind }) => kind)).toContain('waitlist_given');
    const [first = ''] = waiting;
    const list = await listNotifications(first, { limit: 10 });
    expect(list?.notifications.at(-1)).toMatchObject({
      kind: 'draw_waiting',
      orderNo: null,
      payBy: null,
      place: 1,
      saleSlug: expect.any(String),
    });
  });

  it('[M2] nobody is told to wait while units are still being given, or while Redis has lost the list', async () => {
    const { saleId } = await createDrawFixture({ users: 4, total: 2 });
    expect(await runDraws()).toBe(1);
    const sale = keys.sale(saleId);
    await stockRedis().hincrby(sale, 'available', 1);
    await notifyWaiting();
    expect(await hasBegun(saleId)).toBe(false);
    await stockRedis().hincrby(sale, 'available', -1);
    const list = await stockRedis().zrange(keys.waitlist(saleId), '0', '-1', 'WITHSCORES');
    await stockRedis().unlink(keys.waitlist(saleId));
    await notifyWaiting();
    expect(await hasBegun(saleId)).toBe(false);
    await stockRedis().zadd(
      keys.waitlist(saleId),
      ...[0, 2].flatMap((at) => [list[at + 1] ?? '', list[at] ?? '']),
    );
    await notifyWaiting();
    expect(await toldIn(saleId)).toHaveLength(2);
  });

  it('[M2] a crowd is told in parts, by any number of workers, each once and with the right place', async () => {
    const { saleId } = await createDrawFixture({ users: PEOPLE, total: 100 });
    expect(await runDraws()).toBe(1);
    const waiting = await waitingIn(saleId);
    const beganAt = performance.now();
    for (let told = 1; told > 0; )
      told = (await Promise.all([notifyWaiting(), notifyWaiting()])).reduce((sum, count) => sum + count);
    console.info(`${waiting.length} told in ${((performance.now() - beganAt) / 1_000).toFixed(1)} s`);
    expect((await toldIn(saleId)).map(({ userId, place }) => [userId, place])).toEqual(
      waiting.map((userId, at) => [userId, at + 1]),
    );
    expect((await mailsFor(saleId)).map(({ userId }) => userId)).toEqual(waiting.toSorted());
  }, 600_000);
});

describe('at the end of a sale', () => {
  it('[M1 M2] who still waits in the waiting room is told once, and the way in is shut; whose turn came is not told', async () => {
    const sale = await createLineSale({ users: 12, total: 3, waitlist: true });
    const { saleId, userIds } = sale;
    for (const userId of userIds) await joinSaleLine(saleId, member(userId), { address: null });
    await startsIn(sale, -1);
    for (let round = 0; round < 3; round += 1) {
      await db()
        .$executeRaw`UPDATE lines SET tended_at = tended_at - interval '0.3 seconds' WHERE sale_id = ${saleId}`;
      await tendLines();
    }
    forgetLine(saleId);
    const line = await readLine(saleId);
    if (!line) throw new Error('no line');
    const places = await placesOf(line);
    if (!places) throw new Error('not shuffled');
    const at = (place: number) => userIds[places.numberAt(place)] as string;
    expect(line.admitted).toBe(3);
    expect(await issueEntry(saleId, member(at(0)))).toMatchObject({ status: 'entered' });
    for (const place of [0, 1, 2]) await buy(sale, at(place));
    // One of those who wait stands on the waitlist as well.
    expect(await joinList(sale, at(5))).toMatchObject({ status: 'joined' });
    await tellAll();
    expect(await hasBegun(saleId)).toBe(false);
    await end(saleId, 30);
    await tellAll();
    expect(await hasBegun(saleId)).toBe(false);
    await end(saleId, 61);
    await Promise.all([notifyWaiting(), notifyWaiting()]);
    await tellAll();
    const told = (await toldIn(saleId)).map(({ userId, kind }) => [userId, kind]);
    const expected = [3, 4, 5, 6, 7, 8, 9, 10, 11].map(at).toSorted();
    expect(told).toEqual(expected.map((userId) => [userId, 'sale_over']));
    expect((await mailsFor(saleId)).map(({ userId }) => userId)).toEqual(expected);
    expect((await db().line.findUniqueOrThrow({ where: { saleId } })).closed).toBe(true);
    await db()
      .$executeRaw`UPDATE waiting_notices SET done_at = NULL, notified_to = -1 WHERE sale_id = ${saleId}`;
    await tellAll();
    expect(await mailsFor(saleId)).toHaveLength(9);
  });

  it('[M2] who waits on the waitlist is told; who has got a unit, left or was passed over is not', async () => {
    const sale = await soldOut({ users: 6 });
    const { saleId, userIds } = sale;
    const [owner = '', given = '', left = '', stays = '', onItsWay = ''] = userIds;
    const bought = await buy(sale, owner);
    for (const userId of [given, left, stays, onItsWay]) await joinList(sale, userId);
    await drainOutbox(saleId);
    await makeOverdue([bought.orderNo]);
    await releaseUnpaid([bought.orderNo]);
    await drainOutbox(saleId);
    await db()
      .$executeRaw`UPDATE waitlist_entries SET left_at = now() WHERE sale_id = ${saleId} AND user_id = ${left}`;
    // An accepted purchase whose order is not written yet.
    const { orderNo } = await db().waitlistEntry.findFirstOrThrow({ where: { saleId, userId: onItsWay } });
    await stockRedis().hset(keys.buyers(saleId), onItsWay, `jti_x,${orderNo},1,h`);
    await end(saleId, 61);
    await tellAll();
    expect((await toldIn(saleId)).map(({ userId }) => userId)).toEqual([stays]);
  });

  it('[M2] a draw that never took place: everybody who entered is told', async () => {
    const { saleId, userIds } = await createDrawFixture({ users: 3 });
    await end(saleId, 61);
    await tellAll();
    expect((await toldIn(saleId)).map(({ userId }) => userId)).toEqual(userIds.toSorted());
  });

  it('[I3] the mails say it in the reader’s language, with the way to the sale; nonsense is put aside', async () => {
    const sale = await soldOut({ users: 3 });
    const { saleId, userIds } = sale;
    const [owner = '', english = '', chinese = ''] = userIds;
    await buy(sale, owner);
    await joinList(sale, english);
    await joinList(sale, chinese);
    await db().user.update({ where: { id: chinese }, data: { locale: 'zh-CN' } });
    await end(saleId, 61);
    await tellAll();
    await db().$executeRaw`
      INSERT INTO outgoing_messages (topic, payload) VALUES ('crowd-mail', '{"kind": "sale_over", "key": "k", "saleId": "sale_x", "userId": "nobody"}'),
                                                            ('crowd-mail', '{"kind": "order_paid"}')`;
    const [consumer] = createCrowdMailConsumer().consumers;
    if (!consumer) throw new Error('no consumer');
    expect(await consumeMessages(consumer)).toEqual({ status: 'consumed', sent: 2, failed: 2, postponed: 0 });
    const names = readdirSync(mailDir).filter((name) => name.includes(saleId));
    expect(names.toSorted()).toEqual(
      [english, chinese].map((id) => `sale_over-${saleId}-${id}.eml`).toSorted(),
    );
    const read = (userId: string) =>
      readFileSync(join(mailDir, `sale_over-${saleId}-${userId}.eml`), 'utf8').replaceAll('=\r\n', '');
    expect(read(english)).toContain('no item came back for you');
    expect(read(english)).toMatch(/The sale: http\S+\/sales\/\S+/);
    expect(read(chinese)).toMatch(/http\S+\/zh-CN\/sales\/\S+/);
  });
});
