import { z } from 'zod';
import { routing } from '@/i18n/routing';
import { type Area, operation } from '../operation';
import { language } from '../shapes/account';
import { mailExample } from '../shapes/mail';

export const readMailExample = operation({
  id: 'readMailExample',
  method: 'GET',
  path: '/api/admin/mails/{kind}',
  who: 'manageSite',
  says: 'One of the mails of the shop with made-up names, as it would be sent. Sends nothing.',
  query: z.object({ locale: language.default(routing.defaultLocale) }),
  answers: { 200: mailExample },
  errors: ['NOT_FOUND'],
});

export const adminMails: Area = {
  name: 'Admin: mails',
  says: 'What the shop writes to its shoppers and staff, in every language.',
  operations: [readMailExample],
};
