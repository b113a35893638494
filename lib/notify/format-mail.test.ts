import { describe, expect, it } from 'vitest';
import { routing } from '@/i18n/routing';
import { NOTICE_KINDS } from '@/lib/contract/words/notice';
import { formatMail } from './format-mail';
import { renderMail } from './render-mail';
import { noticeOf } from './testing/notice';
import type { Notice } from './types';

const NOTICE = noticeOf({ saleTitle: 'Lamp {amount}' });
/** Returns the mail's subject and its two forms. */
function write(notice: Notice) {
  const parts = formatMail(notice, 'https://shop.test');
  return { subject: parts.subject, ...renderMail(parts) };
}

describe('a mail', () => {
  it.each(routing.locales)('[I3] of every kind is complete in %s', (locale) => {
    for (const kind of NOTICE_KINDS) {
      const { subject, text } = write({ ...NOTICE, kind, saleTitle: 'Lamp', locale });
      expect(`${subject} ${text}`).not.toMatch(/[{}]/);
      expect(subject).toContain('Lamp');
      expect(text).toContain(kind === 'not_drawn' ? '/sales/lamp' : '/orders/1024');
    }
  });

  it('[I3] says when, how much and where in its reader’s language', () => {
    const reminder = { ...NOTICE, kind: 'payment_reminder', saleTitle: 'Lamp' } as const;
    const english = write(reminder);
    expect(english.text).toContain('€42.90');
    expect(english.text).toContain('November 22, 2026 at 08:05 UTC');
    expect(english.text).toContain('https://shop.test/orders/1024');
    const chinese = write({ ...reminder, locale: 'zh-CN', currency: 'CNY' });
    expect(chinese.text).toContain('¥42.90');
    expect(chinese.text).toContain('2026年11月22日 UTC 08:05');
    expect(chinese.text).toContain('https://shop.test/zh-CN/orders/1024');
    expect(chinese.subject).not.toBe(english.subject);
    expect(write({ ...reminder, currency: 'HUF' }).text).toContain('HUF\u00a042.90');
  });

  it('[O7] says when in its reader’s time zone, and in UTC if there is none or this machine does not know it', () => {
    const when = (timeZone: string | null) => write({ ...NOTICE, kind: 'payment_reminder', timeZone }).text;
    expect(when('Asia/Shanghai')).toContain('November 22, 2026 at 16:05 GMT+8');
    expect(when('America/New_York')).toContain('November 22, 2026 at 03:05 EST');
    for (const other of [null, '', 'Mars/Olympus', 'Europe/Berlin; DROP'])
      expect(when(other)).toContain('November 22, 2026 at 08:05 UTC');
  });

  it('[O7] contains a title that runs from right to left where a sentence goes on after it', () => {
    const { text } = write({ ...NOTICE, saleTitle: 'سماعات \u202e' });
    expect(text).toContain('\u2068سماعات \u202e\u2069');
  });

  it('[O7] cuts a subject between characters', () => {
    const { subject } = write({ ...NOTICE, saleTitle: '👩‍👩‍👧'.repeat(40) });
    expect(subject).toBe(`Paid: ${'👩‍👩‍👧'.repeat(24)}`);
  });

  it('[I3] takes a title as it is, and keeps it on the one line of the subject', () => {
    expect(write(NOTICE).subject).toBe('Paid: Lamp {amount}');
    const long = write({ ...NOTICE, saleTitle: `a\r\nBcc: b@c.d ${'x'.repeat(300)}` });
    expect(long.subject).toMatch(/^Paid: a Bcc: b@c\.d x{100,}$/);
    expect(long.subject).toHaveLength(200);
  });
});
