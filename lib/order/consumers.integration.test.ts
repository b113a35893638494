import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NoticeKind } from '@/lib/contract/words/notice';
import { closeDb, db } from '@/lib/db/client';
import { putAddress } from '@/lib/delivery/records/put-address';
import { KEPT, sendByParcel } from '@/lib/delivery/testing/parcel-order';
import { sendMail } from '@/lib/notify/send-mail';
import { writeNotifications } from '@/lib/notify/write-notifications';
import { noticesOf, receivedNotices } from '@/lib/order/records/announce';
import { consumeMessages } from '@/lib/outbox/consume-messages';
import { putMessage, putMessages } from '@/lib/outbox/put-message';
import { readPoints } from '@/lib/points/read-points';
import { writePoints } from '@/lib/points/write-points';
import { createOrderFixture } from '@/lib/purchase/testing/order-fixture';
import { payFor } from '@/lib/purchase/testing/pay-for';
import { closeRedis } from '@/lib/redis/client';
import { createConsumers } from './consumers';
import { readNotices } from './read-notices';

const mailDir = mkdtempSync(join(tmpdir(), 'seckill-mail-'));
beforeAll(() => {
  process.env.MAIL_DIR = mailDir;
});
beforeEach(async () => {
  await db().outgoingMessage.deleteMany();
});
afterAll(async () => {
  rmSync(mailDir, { recursive: true, force: true });
  await closeRedis();
  await closeDb();
});

const REAL = { writePoints, writeNotifications, sendMail };
type Consumers = ReturnType<typeof createConsumers>;

/** Lets every consumer take the messages that are due. */
const consumeAll = async ({ consumers }: Consumers) => {
  for (const consumer of consumers) await consumeMessages(consumer);
};
const again = () =>
  db().$executeRaw`UPDATE outgoing_messages SET sent_at = NULL, attempts = 0, next_attempt_at = now()`;
/** The topics of the messages that wait, without those that tell of new orders. */
const unsent = async () =>
  (await db().outgoingMessage.findMany({ where: { sentAt: null, topic: { not: 'orders/received' } } })).map(
    ({ topic }) => topic,
  );
const balanceOf = async (userId: string) => (await readPoints(userId, { limit: 20 }))?.balance;
const toldTo = async (userId: string) =>
  (await db().notification.findMany({ where: { userId } })).map(({ kind }) => kind);
const mailOf = (orderNo: string) => readdirSync(mailDir).filter((name) => name.includes(orderNo));

describe('the consumers', () => {
  it('[O3 I3] a notice and its mail name the variant that was bought', async () => {
    const order = await createOrderFixture();
    const { saleId } = order;
    await db().saleVariant.createMany({
      data: ['S', 'مقاس M'].map((name, at) => ({ saleId, number: at + 1, name, stock: 9, held: 1 })),
    });
    await db().$executeRaw`UPDATE orders SET variant = 2 WHERE sale_id = ${saleId}`;
    await payFor(order.orderNo);
    await consumeAll(createConsumers());
    const told = await db().notification.findFirst({ where: { userId: order.userId } });
    expect(told?.data).toMatchObject({ saleTitle: 'Lamp sale (مقاس M)' });
  });

  it('[I1 I3 E4] a paid order gives points, a notice and a mail, each once however often it is told', async () => {
    const order = await createOrderFixture({ priceMinor: 4290 });
    await payFor(order.orderNo);
    const consumers = createConsumers();
    for (let round = 0; round < 3; round += 1) {
      await again();
      await consumeAll(consumers);
      expect(await unsent()).toEqual(['orders/paid']);
    }
    expect(await balanceOf(order.userId)).toBe(42);
    expect(await toldTo(order.userId)).toEqual(['order_paid']);
    expect(mailOf(order.orderNo)).toEqual([`order_paid-${order.orderNo}.eml`]);
    const mail = readFileSync(join(mailDir, `order_paid-${order.orderNo}.eml`), 'utf8');
    expect(mail).toContain(`To: ${order.userId}@example.com`);
    expect(mail).toContain('Subject: Paid: Lamp sale');
    expect(mail.replaceAll('=\r\n', '')).toContain('€42.90'.replace('€', '=E2=82=AC'));
  });

  it('[I3] a mail is in the language of its reader, or the first of the shop if there is none such', async () => {
    const [chinese, unknown] = [await createOrderFixture(), await createOrderFixture()];
    await db().user.update({ where: { id: chinese.userId }, data: { locale: 'zh-CN' } });
    await db().user.update({ where: { id: unknown.userId }, data: { locale: 'xx' } });
    for (const { orderNo } of [chinese, unknown]) await payFor(orderNo);
    await consumeAll(createConsumers());
    const mail = (orderNo: string) =>
      readFileSync(join(mailDir, `order_paid-${orderNo}.eml`), 'utf8').replaceAll('=\r\n', '');
    expect(mail(chinese.orderNo)).toContain(`/zh-CN/orders/${chinese.orderNo}`);
    expect(mail(unknown.orderNo)).not.toContain('/zh-CN/');
  });

  it('[I3 O7] a notice knows the language and the time zone of its reader', async () => {
    const { userId, orderNo } = await createOrderFixture();
    await db().user.update({ where: { id: userId }, data: { locale: 'zh-CN', timeZone: 'Asia/Shanghai' } });
    const message = { id: '1', attempts: 0, payload: { orderNo, kind: 'payment_reminder', key: 'k' } };
    expect(await readNotices([message])).toMatchObject([{ locale: 'zh-CN', timeZone: 'Asia/Shanghai' }]);
  });

  it('[O7] a mail of a live order asks for the address that its parcel lacks, once', async () => {
    const { userId, orderNo, saleId } = await createOrderFixture();
    const lacks = async (kind: NoticeKind) => {
      const message = { id: '1', attempts: 0, payload: { orderNo, kind, key: 'k' } };
      return (await readNotices([message])).map(({ lacksAddress }) => lacksAddress);
    };
    expect(await lacks('order_paid')).toEqual([false]);
    await sendByParcel(saleId);
    expect(await lacks('order_paid')).toEqual([true]);
    expect(await lacks('payment_reminder')).toEqual([true]);
    expect(await lacks('order_cancelled')).toEqual([false]);
    await putMessages(db(), noticesOf('payment_reminder', { saleId, orderNo }));
    await consumeAll(createConsumers());
    const mail = readFileSync(join(mailDir, `payment_reminder-${orderNo}.eml`), 'utf8').replaceAll(
      '=\r\n',
      '',
    );
    expect(mail).toContain('Please give the address');
    expect(await putAddress(db(), userId, orderNo, KEPT)).toBe('kept');
    expect(await lacks('order_paid')).toEqual([false]);
  });

  it('[O7] a muted reminder is in the shop and not mailed, unless the shopper asked for it', async () => {
    const { userId, orderNo, saleId } = await createOrderFixture();
    await db().user.update({ where: { id: userId }, data: { mutedMails: ['reminders'] } });
    const [inShop, mail] = noticesOf('payment_reminder', { saleId, orderNo });
    const again = noticesOf('payment_reminder', { saleId, orderNo }, { nth: 'again-1' }).slice(1);
    const asked = again.map(({ topic, payload }) => ({ topic, payload: { ...payload, isAsked: true } }));
    await putMessages(
      db(),
      [inShop, mail, ...asked].filter((message) => message !== undefined),
    );
    await consumeAll(createConsumers());
    expect(await unsent()).toEqual([]);
    expect(await toldTo(userId)).toEqual(['payment_reminder']);
    expect(mailOf(orderNo)).toEqual([`payment_reminder-${orderNo}-again-1.eml`]);
  });

  it('[O7] to an address that is refused go mails about money, and what its shopper asked for, nothing else', async () => {
    const { userId, orderNo, saleId } = await createOrderFixture();
    await db().user.update({ where: { id: userId }, data: { mailRefusedAt: new Date() } });
    const order = { saleId, orderNo };
    const asked = noticesOf('payment_reminder', order, { nth: 'again-1' }).map(({ topic, payload }) => ({
      topic,
      payload: { ...payload, isAsked: true },
    }));
    await putMessages(db(), [
      ...receivedNotices(order),
      ...noticesOf('payment_reminder', order),
      ...noticesOf('waitlist_given', order),
      ...noticesOf('price_changed', order),
      ...noticesOf('order_refunded', order),
      ...asked.slice(1),
    ]);
    await consumeAll(createConsumers());
    expect(await unsent()).toEqual([]);
    expect(mailOf(orderNo).sort()).toEqual(
      ['order_refunded', 'payment_reminder', 'price_changed'].map((kind) =>
        kind === 'payment_reminder' ? `${kind}-${orderNo}-again-1.eml` : `${kind}-${orderNo}.eml`,
      ),
    );
    expect((await toldTo(userId)).sort()).toEqual([
      'order_received',
      'order_refunded',
      'payment_reminder',
      'price_changed',
      'waitlist_given',
    ]);
  });

  it('[O7] a mail that asks for money is not sent once the order is paid', async () => {
    const { orderNo, saleId } = await createOrderFixture();
    await payFor(orderNo);
    await db().outgoingMessage.deleteMany();
    const order = { saleId, orderNo };
    await putMessages(db(), [...receivedNotices(order), ...noticesOf('payment_reminder', order)]);
    await consumeAll(createConsumers());
    expect(await unsent()).toEqual([]);
    expect(mailOf(orderNo)).toEqual([]);
  });

  it('[J3 I3] a points service that is down keeps neither notices nor mails, and catches up', async () => {
    let isDown = true;
    const points = async (...args: Parameters<typeof writePoints>) => {
      if (isDown) throw new Error('points service down');
      return writePoints(...args);
    };
    const side = createConsumers({ services: { ...REAL, writePoints: points }, halfOpenAfterMs: 1_000 });
    const orders = [];
    for (let n = 0; n < 7; n += 1) {
      const order = await createOrderFixture();
      await payFor(order.orderNo);
      orders.push(order);
    }
    await consumeAll(side);
    // It may be time for a probe by now.
    expect(side.breakers.map(({ service, state }) => `${service} ${state}`)).toEqual([
      expect.stringMatching(/^points (open|half)/),
      'notifications closed',
      'mail closed',
    ]);
    for (const { userId, orderNo } of orders) {
      expect(await balanceOf(userId)).toBe(0);
      expect(await toldTo(userId)).toEqual(['order_paid']);
      expect(mailOf(orderNo)).toHaveLength(1);
    }
    isDown = false;
    const drained = async () => {
      await consumeAll(side);
      return db().outgoingMessage.count({ where: { topic: 'points', sentAt: null } });
    };
    await expect.poll(drained).toBe(0);
    for (const { userId } of orders) expect(await balanceOf(userId)).toBe(19);
  });

  it('[E2 E5 J3] mails alone wait while they are held, and are sent afterwards', async () => {
    const { userId, orderNo } = await createOrderFixture();
    await payFor(orderNo);
    let isHeld = true;
    const side = createConsumers({ holdsMails: () => isHeld });
    await consumeAll(side);
    expect(await balanceOf(userId)).toBe(19);
    expect(await toldTo(userId)).toEqual(['order_paid']);
    expect(mailOf(orderNo)).toEqual([]);
    isHeld = false;
    await consumeAll(side);
    expect(mailOf(orderNo)).toHaveLength(1);
  });

  it('[E5 I3 J3] a mail that can not be sent fails alone: the others of its batch go out, once each', async () => {
    const orders = [];
    for (let n = 0; n < 6; n += 1) {
      const order = await createOrderFixture();
      await payFor(order.orderNo);
      orders.push(order);
    }
    await putMessage(db(), 'mail', { orderNo: 'nonsense', kind: 'order_paid', key: 'nonsense' });
    const bad = orders[2]?.orderNo;
    const sent: string[] = [];
    const side = createConsumers({
      services: {
        ...REAL,
        sendMail: async ({ orderNo }) => {
          if (orderNo === bad) throw new Error('mailbox on fire');
          sent.push(orderNo);
        },
      },
    });
    await consumeAll(side);
    expect(sent.sort()).toEqual(
      orders
        .map(({ orderNo }) => orderNo)
        .filter((no) => no !== bad)
        .sort(),
    );
    const left = await db().outgoingMessage.findMany({ where: { topic: 'mail', sentAt: null } });
    expect(left.map(({ lastError }) => lastError)).toEqual(['mailbox on fire']);
    expect(await db().deadLetter.findMany({ where: { consumer: 'mail' } })).toMatchObject([
      { error: expect.stringMatching(/^message \d/), attempts: 1 },
    ]);
    expect(side.breakers.every(({ state }) => state === 'closed')).toBe(true);
  });

  it('[E5 I3] a message that can not be understood harms no other and blames no service', async () => {
    const order = await createOrderFixture();
    await putMessage(db(), 'points', { orderNo: 'nonsense', kind: 'earned' });
    await putMessage(db(), 'points', { orderNo: '1024', kind: 'earned' });
    await payFor(order.orderNo);
    const side = createConsumers();
    await consumeAll(side);
    expect(await balanceOf(order.userId)).toBe(19);
    expect(side.breakers.every(({ state }) => state === 'closed')).toBe(true);
    expect(await db().outgoingMessage.count({ where: { topic: 'points', sentAt: null } })).toBe(0);
    const letters = await db().deadLetter.findMany({ where: { consumer: 'points' }, orderBy: { id: 'asc' } });
    expect(letters.map(({ payload }) => (payload as { orderNo: string }).orderNo)).toEqual([
      'nonsense',
      '1024',
    ]);
  });
});
