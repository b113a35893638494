import { describe, expect, it } from 'vitest';
import { routing } from '@/i18n/routing';
import { ACCOUNT_MAILS } from '@/lib/contract/words/mail';
import { sayAccountMail } from './account-mail';
import { mailWords } from './mail-words';
import { renderMail } from './render-mail';
import type { MailText } from './types';

const SAID: MailText = {
  locale: 'en',
  subject: 'Paid: <Lamp> & "more"',
  text: 'It is <b>yours</b>.\nToday.\n\nSecond.',
  link: {
    url: 'https://shop.test/orders/1?a=1&b=2',
    label: 'See the order',
    line: 'Order 1: https://shop.test/orders/1',
  },
  note: "If it was not you, don't.",
};

describe('a mail', () => {
  it('[O7] as plain text has the same parts, with an empty line between', () => {
    expect(renderMail(SAID).text).toBe(
      "It is <b>yours</b>.\nToday.\n\nSecond.\n\nOrder 1: https://shop.test/orders/1\n\nIf it was not you, don't.\n",
    );
    expect(renderMail({ locale: 'en', subject: 's', text: 'All.' }).text).toBe('All.\n');
  });

  it('[O7] as HTML takes no text for markup, and loads nothing', () => {
    const { html } = renderMail(SAID);
    expect(html).toContain('<title>Paid: &lt;Lamp&gt; &amp; &quot;more&quot;</title>');
    expect(html).toMatch(
      /<p [^>]*>It is &lt;b&gt;yours&lt;\/b&gt;\.<br>\nToday\.<\/p>\n<p [^>]*>Second\.<\/p>/,
    );
    expect(html).toContain('href="https://shop.test/orders/1?a=1&amp;b=2"');
    expect(html).toContain('If it was not you, don&#39;t.');
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|url\(|@import|src=/);
    // Mail programs cut off what is longer than 100 KB.
    expect(html.length).toBeLessThan(5_000);
  });

  it('[O7] says its language, the shop, and how to stop it where it can be stopped', () => {
    const stop = { page: 'https://shop.test/stop-mails#t', oneClick: 'https://shop.test/api' };
    for (const locale of routing.locales) {
      const { html, text } = renderMail({ ...SAID, locale, stop });
      expect(html).toContain(`<html lang="${locale}">`);
      expect(html).toContain(`>${mailWords(locale).shopName}</p>`);
      expect(html).toContain(`<a href="https://shop.test/stop-mails#t"`);
      expect(text).toContain(`${mailWords(locale).stop}: https://shop.test/stop-mails#t`);
      expect(renderMail({ ...SAID, locale }).html).not.toContain('stop-mails');
    }
  });
});

describe('a mail about an account', () => {
  it.each(routing.locales)(
    '[O7] of every kind is complete in %s; only one with a link has a button',
    (locale) => {
      const values = { email: 'a@b.c', days: '7', name: 'Id', shop: 'S', by: 'B', host: 'h' };
      for (const kind of ACCOUNT_MAILS) {
        const plain = sayAccountMail(kind, locale, { values });
        expect(`${plain.subject} ${plain.text}`, kind).not.toMatch(/[{}]/);
        expect(plain.link).toBeUndefined();
        // The text ends by pointing at a link if, and only if, there is one.
        const hasButton = 'button' in mailWords(locale)[kind];
        expect(/[:：]$/.test(plain.text), `${kind}: ${plain.text}`).toBe(hasButton);
        if (!hasButton) continue;
        const { link } = sayAccountMail(kind, locale, { values, url: 'https://shop.test/x#t' });
        expect(link?.label, kind).not.toContain('://');
      }
    },
  );
});
