import { z } from 'zod';
import { MAIL_KINDS } from '../words/mail';
import { language } from './account';

export const mailExample = z
  .object({
    kind: z.enum(MAIL_KINDS),
    locale: language,
    subject: z.string(),
    text: z.string().describe('For readers without HTML.'),
    html: z.string().describe('A whole page that loads nothing from elsewhere.'),
  })
  .meta({ id: 'MailExample' });
export type MailExample = z.output<typeof mailExample>;
