import { describe, expect, it } from 'vitest';
import { pageAddress } from '@/i18n/page-address';
import { routing } from '@/i18n/routing';
import { ORDER_NOTICE_KINDS, SALE_NOTICE_KINDS } from '@/lib/contract/words/notice';
import { renderMail } from './render-mail';
import { sayNotice } from './say-notice';
import type { Notice, SaleNotice } from './types';

const NOTICE: Notice = {
  key: 'k',
  kind: 'order_paid',
  userId: 'user_1',
  email: 'ada@example.com',
  locale: 'en',
  orderNo: '1024',
  saleTitle: 'Lamp {amount}',
  amountMinor: 4290,
  currency: 'EUR',
  payBy: Date.UTC(2026, 10, 22, 8, 5),
};
const SHOP = 'https://shop.test';

const formatMail = (notice: Notice | SaleNotice, zone: string | null = null) =>
  renderMail(sayNotice(notice, SHOP, zone));

describe('a mail', () => {
  it.each(routing.locales)('[I3] of every kind is complete in %s', (locale) => {
    for (const kind of ORDER_NOTICE_KINDS) {
      const { subject, text } = formatMail({ ...NOTICE, kind, saleTitle: 'Lamp', locale });
      expect(`${subject} ${text}`).not.toMatch(/[{}]/);
      expect(subject).toContain('Lamp');
      expect(text).toContain('1024');
    }
    const { orderNo: _, amountMinor: _a, currency: _c, payBy: _p, ...rest } = NOTICE;
    for (const kind of SALE_NOTICE_KINDS) {
      const notice = { ...rest, kind, saleTitle: 'Lamp', saleSlug: 'lamp', place: 1_234, locale };
      const { subject, text } = formatMail(notice);
      expect(`${subject} ${text}`).not.toMatch(/[{}]/);
      expect(subject).toContain('Lamp');
      expect(text).toContain(new URL(pageAddress('/sales/lamp', locale), SHOP).href);
      if (kind === 'draw_waiting') expect(text).toMatch(/1[,\s]234/);
    }
  });

  it('[I3] says when, how much and where in its reader’s language', () => {
    const reminder = { ...NOTICE, kind: 'payment_reminder', saleTitle: 'Lamp' } as const;
    const english = formatMail(reminder);
    expect(english.text).toContain('€42.90');
    expect(english.text).toContain('2026-11-22 08:05 UTC');
    expect(english.text).toContain('https://shop.test/orders/1024');
    const chinese = formatMail({ ...reminder, locale: 'zh-CN', currency: 'CNY' });
    expect(chinese.text).toContain('¥42.90');
    expect(chinese.text).toContain('2026-11-22 08:05 UTC');
    expect(chinese.text).toContain('https://shop.test/zh-CN/orders/1024');
    expect(chinese.subject).not.toBe(english.subject);
    const taiwanese = formatMail({ ...reminder, locale: 'zh-TW', currency: 'TWD' });
    expect(taiwanese.text).toContain('$42.90');
    expect(taiwanese.text).toContain('https://shop.test/zh-TW/orders/1024');
    const russian = formatMail({ ...reminder, locale: 'ru', currency: 'RUB' });
    expect(russian.subject).toBe('Ждёт оплаты: Lamp');
    expect(russian.text).toMatch(/оплатите 42,90\s₽ до 2026-11-22 08:05 UTC/);
    expect(russian.text).toContain('https://shop.test/ru/orders/1024');
  });

  it('[I3] says when in its reader’s time zone', () => {
    const reminder = { ...NOTICE, kind: 'payment_reminder', saleTitle: 'Lamp' } as const;
    const textIn = (zone: string | null) => formatMail(reminder, zone).text;
    expect(textIn(null)).toContain('2026-11-22 08:05 UTC');
    expect(textIn('Europe/Berlin')).toContain('2026-11-22 09:05 CET');
    expect(textIn('Asia/Shanghai')).toContain('2026-11-22 16:05 GMT+8');
    // Another day there.
    expect(textIn('Pacific/Honolulu')).toContain('2026-11-21 22:05 ');
  });

  it('[I3] takes a title as it is, and keeps it on the one line of the subject', () => {
    expect(formatMail(NOTICE).subject).toBe('Paid: Lamp {amount}');
    const long = formatMail({ ...NOTICE, saleTitle: `a\r\nBcc: b@c.d ${'x'.repeat(300)}` });
    expect(long.subject).toMatch(/^Paid: a Bcc: b@c\.d x{100,}$/);
    expect(long.subject).toHaveLength(200);
  });
});
