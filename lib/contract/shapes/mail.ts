import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { MAIL_KINDS, MAIL_TOPICS } from '../words/mail';
import { language } from './account';
import { time } from './common';

const mailExample = z
  .object({
    kind: z.enum(MAIL_KINDS),
    language: language.describe('Mails about alerts are always in English.'),
    subject: z.string(),
    text: z.string().describe('For mail programs without HTML.'),
    html: z.string().describe('A whole page that loads nothing from elsewhere.'),
  })
  .meta({ id: 'MailExample' });
export type MailExample = z.output<typeof mailExample>;

export const mailExamples = z.object({ mails: z.array(mailExample) });

export const mailTopic = z.enum(MAIL_TOPICS).describe('A topic of mails that a person may mute.');

/** The parts of the address in `List-Unsubscribe`. */
export const stopMailsLink = z.object({
  token: z.string().max(300).default(''),
  language: language.default(routing.defaultLocale).describe('Of the page.'),
});

export const mutedMails = z.strictObject({
  muted: z
    .array(mailTopic)
    .max(MAIL_TOPICS.length)
    .describe('Topics of mails that the account does not want.'),
});

export const mailRefusedAt = time
  .nullable()
  .describe(
    'Since when a mail server refuses its address for good: mails that can be muted wait. Null: none does.',
  );

/** The account’s mails as its owner sees them. */
export const ownMails = mutedMails.extend({ mailRefusedAt });
export type OwnMails = z.output<typeof ownMails>;

/** The largest mail that is taken back: the report, and ours as a whole. */
export const MAX_RETURNED_BYTES = 256 * 1024;

const returnedOutcome = z
  .enum(['refused', 'complaint', 'ignored'])
  .describe(
    '`refused`: mails to this address that can be muted wait. `complaint`: they are muted. `ignored`: it is no mail of ours, or says nothing of its address.',
  );
export type ReturnedOutcome = z.output<typeof returnedOutcome>;
export const returnedMail = z.object({ outcome: returnedOutcome });
