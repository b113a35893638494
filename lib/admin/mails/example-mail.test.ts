import { expect, it } from 'vitest';
import { routing } from '@/i18n/routing';
import { MAIL_KINDS } from '@/lib/contract/words/mail';
import { mailTopicOf } from '@/lib/contract/words/mail-topic';
import { NOTICE_KINDS } from '@/lib/contract/words/notice';
import { exampleMail } from './example-mail';

it.each(routing.locales)(
  '[O7] an example of every mail in %s is complete, and says how to stop it where that is possible',
  (locale) => {
    for (const kind of MAIL_KINDS) {
      const { subject, text, html } = exampleMail(kind, locale);
      expect(`${subject} ${text}`, kind).not.toMatch(/[{}]|undefined/);
      expect(html, kind).toContain(`<html lang="${locale}">`);
      const notice = NOTICE_KINDS.find((one) => one === kind);
      expect(html.includes('/stop-mails#'), kind).toBe(
        notice !== undefined && mailTopicOf(notice) !== undefined,
      );
    }
  },
);
