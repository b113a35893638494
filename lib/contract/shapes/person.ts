import { z } from 'zod';
import { REFUSAL_PLACES } from '../words/attempt';
import { NOTICE_KINDS } from '../words/notice';
import { PERSON_MAILS } from '../words/person-mail';
import { session } from './account';
import { count, errorCode, time } from './common';
import { adminOrder } from './order';
import { user } from './user';

export const personQuestion = z.object({
  who: z.string().trim().min(1).max(254).describe('The e-mail address, the id, or the number of an order.'),
});

const refusal = z.object({
  saleId: z.string(),
  saleTitle: z.string(),
  place: z.enum(REFUSAL_PLACES),
  code: errorCode,
  times: count,
  lastAt: time,
});
const notice = z.object({
  kind: z.enum(NOTICE_KINDS),
  orderNo: z.string(),
  createdAt: time,
  readAt: time.nullable(),
});

export const person = z
  .object({
    user,
    sessions: z
      .array(session.omit({ sessionId: true, isCurrent: true }))
      .describe('Those that last, the latest used first.'),
    orders: z.array(adminOrder).describe('The newest twenty.'),
    refusals: z.array(refusal).describe('Refused attempts: the latest twenty.'),
    notices: z.array(notice).describe('The latest twenty.'),
  })
  .meta({ id: 'Person' });

/** All that support sees of a person. Never passwords, codes, tokens or ids of sessions. */
export type Person = z.output<typeof person>;

export const personMail = z
  .strictObject({
    kind: z.enum(PERSON_MAILS),
    orderNo: z.string().max(40).describe('The order that the mail is about.').optional(),
  })
  .refine(({ kind, orderNo }) => (kind === 'order') === (orderNo !== undefined), {
    path: ['orderNo'],
    message: 'a mail about an order names it, and no other mail does',
  });
export type PersonMail = z.output<typeof personMail>;
