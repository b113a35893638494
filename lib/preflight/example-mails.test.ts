import { expect, it } from 'vitest';
import { routing } from '@/i18n/routing';
import { MAIL_KINDS } from '@/lib/contract/words/mail';
import { exampleMails } from './example-mails';

it.each(routing.locales)(
  '[O7] an example of every mail in %s is complete and takes nothing from another',
  (locale) => {
    const mails = exampleMails(locale);
    expect(mails.map(({ kind }) => kind)).toEqual(MAIL_KINDS);
    expect(new Set(mails.map(({ subject }) => subject)).size).toBe(MAIL_KINDS.length);
    for (const { kind, language, subject, text, html } of mails) {
      expect(`${subject} ${text}`, kind).not.toMatch(/[{}]|undefined|NaN/);
      expect(language, kind).toBe(kind.startsWith('alert') ? 'en' : locale);
      expect(html, kind).toContain(`<html lang="${language}"`);
    }
  },
);
