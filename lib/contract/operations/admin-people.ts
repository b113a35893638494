import { z } from 'zod';
import { area } from '../operation';
import { person, personMail, personQuestion } from '../shapes/person';

export const adminPeople = area('Admin: people', 'For support.');
const { operation } = adminPeople;

export const readPerson = operation('GET /api/admin/people', {
  who: 'helpPeople',
  says: 'An account with its sessions, orders, refused attempts and notices. The audit log says who looked, before the answer is sent.',
  query: personQuestion,
  answers: { 200: person },
  errors: ['USER_NOT_FOUND'],
});

export const sendPersonMail = operation('POST /api/admin/people/{userId}/mails', {
  who: 'helpPeople',
  says: 'Sends a mail again, to the address of the account. It is limited as if the person had asked; a mail about an order goes once a minute, then less often.',
  body: personMail,
  answers: { 202: z.object({ sentTo: z.string() }) },
  errors: [
    'USER_NOT_FOUND',
    'ORDER_NOT_FOUND',
    'EMAIL_VERIFIED',
    'ACCOUNT_BANNED',
    'DEMO_ACCOUNT',
    'RATE_LIMITED',
  ],
});
