import { z } from 'zod';
import { MAIL_TOPICS } from '../words/mail-topic';
import { language } from './account';

/** Longer than any name of a time zone. */
const LONGEST = 64;

const timeZone = z
  .string()
  .max(LONGEST)
  .refine(isTimeZone, 'is no time zone of the IANA database')
  .nullable()
  .describe('Of the times in mails, as `Europe/Berlin`; null: UTC.');

export const mailTopic = z.enum(MAIL_TOPICS);

const mutedMails = z
  .array(mailTopic)
  .max(MAIL_TOPICS.length)
  .describe('Mails that are not wanted. What became of an order and its money is always told.');

export const preferences = z.object({
  locale: language.describe('The language of the mails.'),
  timeZone,
  mutedMails,
});

/** How somebody wants to be told. */
export type Preferences = z.output<typeof preferences>;

export const preferencesChange = z.strictObject(preferences.partial().shape);
export type PreferencesChange = z.output<typeof preferencesChange>;

function isTimeZone(name: string): boolean {
  try {
    return name !== '' && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
