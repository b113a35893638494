import { describe, expect, it } from 'vitest';
import { routing } from '@/i18n/routing';
import { ACCOUNT_MAILS } from '@/lib/contract/words/mail';
import { NOTICE_KINDS } from '@/lib/contract/words/notice';
import { sayAccountMail } from './account-mail';
import { formatMail } from './format-mail';
import { renderMail } from './render-mail';
import { noticeOf } from './testing/notice';
import type { MailParts } from './types';

const SHOP = 'https://shop.test';
const PARTS: MailParts = {
  locale: 'en',
  subject: 'Paid: <Lamp> & "more"',
  paragraphs: ['It is <b>yours</b>.\nToday.', 'Second.'],
  link: { url: `${SHOP}/orders/1?a=1&b='2'`, label: 'See <order> 1' },
  note: "If it was not you, don't.",
};
const NOTICE = noticeOf({
  timeZone: 'Asia/Shanghai',
  saleTitle: '<script>alert(1)</script> سماعات \u202e',
});
const VALUES = {
  email: 'a@b.example',
  days: '7',
  name: 'הבית',
  shop: 'S',
  by: '<i>B</i>',
  host: 'shop.test',
};

/** Returns what a reader of the HTML reads, without the shop's name above and the heading. */
function readText(html: string): string {
  const [, body = ''] = /<\/h1>([\s\S]*)<\/body>/.exec(html) ?? [];
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return body
    .replace(/<br>\n/g, '\n')
    .replace(/\n?<[^>]+>\n?/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '');
}
const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

describe('a mail', () => {
  it('[O7] as text has its parts with an empty line between, the address below what the button says', () => {
    expect(renderMail(PARTS).text).toBe(
      `It is <b>yours</b>.\nToday.\n\nSecond.\n\nSee <order> 1\n${SHOP}/orders/1?a=1&b='2'\n\nIf it was not you, don't.\n`,
    );
    expect(renderMail({ locale: 'en', subject: 's', paragraphs: ['All.'] }).text).toBe('All.\n');
  });

  it('[O7] as HTML takes no text for markup, loads nothing, and is small', () => {
    const { html } = renderMail(PARTS);
    expect(html).toContain('<title>Paid: &lt;Lamp&gt; &amp; &quot;more&quot;</title>');
    expect(html).toMatch(
      /<p [^>]*>It is &lt;b&gt;yours&lt;\/b&gt;\.<br>\nToday\.<\/p>\n<p [^>]*>Second\.<\/p>/,
    );
    expect(html).toContain(`href="${SHOP}/orders/1?a=1&amp;b=&#39;2&#39;"`);
    expect(html).toContain('>See &lt;order&gt; 1</a>');
    expect(html).toContain('If it was not you, don&#39;t.');
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form|object)|url\(|@import|src=|undefined/);
    // Mail programs cut off what is longer than 100 KB.
    expect(html.length).toBeLessThan(5_000);
  });

  it.each(routing.locales)('[O7] of every kind says the same in both forms, in %s', (locale) => {
    const mails = [
      ...NOTICE_KINDS.map((kind) => formatMail({ ...NOTICE, kind, locale }, SHOP)),
      ...ACCOUNT_MAILS.map((kind) => sayAccountMail(kind, locale, `${SHOP}/page#t`, VALUES)),
    ];
    for (const parts of mails) {
      const { text, html } = renderMail(parts);
      expect(html).toContain(`<html lang="${locale}" dir="ltr">`);
      const stop = parts.stop?.page;
      // The HTML has that address in its link alone.
      expect(words(readText(html))).toBe(words(text.replace(`${stop}`, '')));
      if (stop) expect(html).toContain(`href="${stop}"`);
      expect(html.split(`href="${parts.link?.url}"`), parts.subject).toHaveLength(3);
      expect(`${text} ${html.replace(/<style>.*<\/style>/, '')}`, parts.subject).not.toMatch(/[{}]/);
      expect(html).not.toMatch(/<script|<i>/);
      // The title ends everything in it that turns text round.
      expect(text.replace(/\u2068[^\u2069]*\u2069/g, '')).not.toMatch(/[\u0590-\u08ff\u202e]/);
    }
  });
});

describe('a mail about an account', () => {
  it.each(routing.locales)(
    '[O7] has words for its button exactly where its text leads to one, in %s',
    (locale) => {
      for (const kind of ACCOUNT_MAILS) {
        const { paragraphs, link } = sayAccountMail(kind, locale, `${SHOP}/page#t`, VALUES);
        const leads = /[:：]$/.test(paragraphs.at(-1) ?? '') || kind === 'setupTrial';
        expect(link?.label !== link?.url, kind).toBe(leads);
        expect(sayAccountMail(kind, locale, undefined, VALUES).link, kind).toBeUndefined();
      }
    },
  );
});
