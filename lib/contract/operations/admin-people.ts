import { z } from 'zod';
import { type Area, operation } from '../operation';
import { foundPeople, peopleSearch, person, personMail } from '../shapes/person';

export const findPeople = operation({
  id: 'findPeople',
  method: 'GET',
  path: '/api/admin/people',
  who: 'seePeople',
  says: 'Accounts by the beginning of the e-mail address, by id or by an order. That somebody searched is written down.',
  query: peopleSearch,
  side: { feature: 'search', fields: ['search'] },
  answers: { 200: foundPeople },
});

export const readPerson = operation({
  id: 'readPerson',
  method: 'GET',
  path: '/api/admin/people/{userId}',
  who: 'seePeople',
  says: 'What staff need to know of somebody to help them. Each look is in the audit log before it is answered.',
  answers: { 200: person },
  errors: ['USER_NOT_FOUND'],
});

export const sendPersonMail = operation({
  id: 'sendPersonMail',
  method: 'POST',
  path: '/api/admin/people/{userId}/mails',
  who: 'helpPeople',
  says: 'Sends a mail to the person once more. The mails that verify an address or set a password wait as if the person had asked; one about an order goes at most once a minute, and not at all if the person wants no such mails.',
  body: personMail,
  answers: { 202: z.object({ sentTo: z.string() }) },
  errors: [
    'USER_NOT_FOUND',
    'ORDER_NOT_FOUND',
    'EMAIL_ALREADY_VERIFIED',
    'MAIL_MUTED',
    'ACCOUNT_BANNED',
    'RATE_LIMITED',
  ],
});

export const adminPeople: Area = {
  name: 'Admin: people',
  says: 'For staff who help people.',
  operations: [findPeople, readPerson, sendPersonMail],
};
