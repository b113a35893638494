import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { rememberLocale } from '@/lib/account/remember-locale';
import { mailNotice } from '@/lib/checkout/order/mail-notice';
import { closeDb, db } from '@/lib/db/client';
import type { Notice, SaleNotice } from '@/lib/notify/types';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { keepMailsApart } from '@/test/support/keep-mails-apart';
import { makeUser } from '@/test/support/make-sale';
import { GET as openStop, POST as stopMails } from '../../email/stop-mails/route';
import { GET, PATCH } from './route';

const mails = keepMailsApart();
afterAll(() => Promise.all([closeRedis(), closeDb()]));

async function somebody() {
  const { userId } = await makeUser();
  const session = await sessionOf(userId);
  return {
    userId,
    read: async () => (await callWith(session, GET)).json(),
    change: (body: unknown) => callWith(session, PATCH, { method: 'PATCH', body }),
  };
}

describe('[I3] how somebody wants to be told', () => {
  it('is kept; what is not named stays', async () => {
    const { read, change } = await somebody();
    expect(await read()).toEqual({ locale: 'en', timeZone: null, mutedMails: [] });
    await change({ timeZone: 'Asia/Shanghai' });
    await change({ mutedMails: ['waiting', 'reminders'] });
    const answer = await change({ locale: 'zh-CN' });
    const now = { locale: 'zh-CN', timeZone: 'Asia/Shanghai', mutedMails: ['reminders', 'waiting'] };
    expect(await answer.json()).toEqual(now);
    expect(await read()).toEqual(now);
    expect(await (await change({ timeZone: null, mutedMails: [] })).json()).toEqual({
      locale: 'zh-CN',
      timeZone: null,
      mutedMails: [],
    });
  });

  it('is refused if it is nonsense, and of nobody', async () => {
    const { read, change } = await somebody();
    for (const wrong of [
      { timeZone: '' },
      { timeZone: 'Mars/Olympus' },
      { timeZone: 'x'.repeat(10_000) },
      { timeZone: 7 },
      { locale: 'xx' },
      { mutedMails: ['order_paid'] },
      { mutedMails: ['waiting', 'waiting', 'waiting'] },
      { mutedMails: 'waiting' },
      { name: 'x' },
      [],
    ])
      expect((await change(wrong)).status, JSON.stringify(wrong).slice(0, 50)).toBe(422);
    expect(await read()).toEqual({ locale: 'en', timeZone: null, mutedMails: [] });
    expect((await callWith(null, GET)).status).toBe(401);
    expect((await callWith(null, PATCH, { method: 'PATCH', body: {} })).status).toBe(401);
  });

  it('keeps a chosen language, whatever the page of the next sign-in speaks', async () => {
    const { userId, change } = await somebody();
    const signInIn = async (locale: string) => {
      await rememberLocale(await db().user.findUniqueOrThrow({ where: { id: userId } }), locale);
      return (await db().user.findUniqueOrThrow({ where: { id: userId } })).locale;
    };
    expect(await signInIn('zh-CN')).toBe('zh-CN');
    await change({ locale: 'en' });
    expect(await signInIn('zh-CN')).toBe('en');
  });

  it('counts for each mail: muted ones are not sent, others in the time zone, and money is always told', async () => {
    const { userId, change } = await somebody();
    const about = { userId, email: `${userId}@example.com`, locale: 'en', saleTitle: 'Lamp' } as const;
    const ofOrder = (kind: Notice['kind']): Notice => ({
      ...about,
      key: `${kind}-${userId}`,
      kind,
      orderNo: '1024',
      amountMinor: 4290,
      currency: 'EUR',
      payBy: Date.UTC(2026, 10, 22, 8, 5),
    });
    const ofSale = (kind: SaleNotice['kind']): SaleNotice => ({
      ...about,
      key: `${kind}-${userId}`,
      kind,
      saleSlug: 'lamp',
      place: 3,
    });
    const all = [
      ofOrder('payment_reminder'),
      ofOrder('order_paid'),
      ofOrder('order_refunded'),
      ofSale('draw_waiting'),
      ofSale('sale_over'),
    ];
    await change({ mutedMails: ['waiting', 'reminders'], timeZone: 'Asia/Shanghai' });
    for (const notice of all) await mailNotice(notice);
    const sent = () =>
      readdirSync(mails.path)
        .filter((name) => name.includes(userId))
        .toSorted();
    expect(sent()).toEqual([`order_paid-${userId}.eml`, `order_refunded-${userId}.eml`]);
    await change({ mutedMails: ['waiting'] });
    for (const notice of all) await mailNotice(notice);
    expect(sent()).toHaveLength(3);
    const reminder = readFileSync(join(mails.path, `payment_reminder-${userId}.eml`), 'utf8');
    // Lines are folded.
    expect(reminder.replaceAll('=\r\n', '')).toContain('2026-11-22 16:05 GMT+8');
  });

  it('[O7] a link in the mail mutes its topic for its reader alone; pressed twice is once; a changed one is refused', async () => {
    const [{ userId, read, change }, other] = await Promise.all([somebody(), somebody()]);
    const notice: Notice = {
      key: `payment_reminder-stop-${userId}`,
      kind: 'payment_reminder',
      userId,
      email: `${userId}@example.com`,
      locale: 'ru',
      saleTitle: 'Lamp',
      orderNo: '1024',
      amountMinor: 4290,
      currency: 'EUR',
      payBy: 0,
    };
    await mailNotice(notice);
    const mail = readFileSync(join(mails.path, `${notice.key}.eml`), 'utf8').replaceAll(/\r\n(?=\s)/g, '');
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    const [, address = ''] = /^List-Unsubscribe: <([^>]+)>/m.exec(mail) ?? [];
    const press = (url: string) =>
      stopMails(
        new Request(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) }),
        { params: Promise.resolve({}) },
      );
    const token = new URL(address).searchParams.get('token') ?? '';
    const opened = await openStop(new Request(address), { params: Promise.resolve({}) });
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `/stop-mails#${token}`]);
    expect((await read()).mutedMails).toEqual([]);

    for (const wrong of [
      'x'.repeat(200),
      token.replace(userId, other.userId),
      token.replace('reminders', 'waiting'),
      token.replace('reminders', 'order'),
      token.slice(0, -1),
      `${token}a`,
    ]) {
      const to = new URL(address);
      to.searchParams.set('token', wrong);
      expect((await press(to.href)).status, wrong).toBe(410);
      const led = await openStop(new Request(to), { params: Promise.resolve({}) });
      expect(led.headers.get('location')).toBe('/stop-mails');
    }
    for (const none of [`${address}${'x'.repeat(300)}`, address.replace(token, '')])
      expect((await press(none)).status).toBe(422);

    await change({ mutedMails: ['waiting'] });
    for (const answer of await Promise.all([press(address), press(address)]))
      expect([answer.status, await answer.json()]).toEqual([200, { stopped: 'reminders' }]);
    expect((await read()).mutedMails).toEqual(['reminders', 'waiting']);
    expect((await other.read()).mutedMails).toEqual([]);
    const again = { ...notice, key: `${notice.key}-again` };
    await mailNotice(again);
    expect(readdirSync(mails.path)).not.toContain(`${again.key}.eml`);
  });
});
