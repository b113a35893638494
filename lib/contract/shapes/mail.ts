import { z } from 'zod';
import { MAIL_KINDS } from '../words/mail';
import { language } from './account';

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
