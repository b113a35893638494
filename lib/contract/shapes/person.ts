import { z } from 'zod';
import { REFUSAL_PLACES } from '../words/attempt';
import { NOTICE_KINDS } from '../words/notice';
import { WRITTEN_STATUSES } from '../words/order';
import { PERSON_MAILS } from '../words/person-mail';
import { ROLES } from '../words/roles';
import { address } from './address';
import { count, currency, errorCode, money, time } from './common';
import { user } from './user';

export const peopleSearch = z.object({
  search: z
    .string()
    .trim()
    .min(3)
    .max(254)
    .describe('How the e-mail address begins, the whole id, or the number of an order.'),
});

const found = z.object({
  userId: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  bannedAt: time.nullable(),
});
export type FoundPerson = z.output<typeof found>;
export const foundPeople = z.object({ people: z.array(found).describe('Twenty at most.') });

const session = z.object({ browser: z.string(), createdAt: time, lastSeenAt: time, expiresAt: time });
const order = z.object({
  orderNo: z.string(),
  saleId: z.string(),
  saleTitle: z.string(),
  status: z.enum(WRITTEN_STATUSES),
  quantity: z.int(),
  amountMinor: money,
  currency,
  acceptedAt: time,
});
const refusal = z.object({
  saleId: z.string(),
  saleTitle: z.string(),
  place: z.enum(REFUSAL_PLACES),
  code: errorCode,
  times: count,
  firstAt: time,
  lastAt: time,
});
const notice = z.object({
  kind: z.enum(NOTICE_KINDS),
  orderNo: z.string().nullable(),
  at: time,
  readAt: time.nullable(),
});

export const person = z
  .object({
    user,
    deletedAt: time.nullable().describe('When its owner deleted the account.'),
    address: address.nullable().describe('What the account keeps for the next order; null: nothing.'),
    sessions: z.array(session).describe('Those that last, the latest used first.'),
    orders: z.array(order).describe('The newest twenty.'),
    refusals: z.array(refusal).describe('Why attempts failed, in the latest 500 sales: the latest twenty.'),
    notices: z.array(notice).describe('What the person was told: the latest twenty.'),
  })
  .meta({ id: 'Person' });

/** All that staff see of somebody whom they help. Never passwords, codes or tokens. */
export type Person = z.output<typeof person>;

export const personMail = z
  .strictObject({
    kind: z.enum(PERSON_MAILS),
    orderNo: z.string().max(20).describe('Which order the mail is about.').optional(),
  })
  .refine(({ kind, orderNo }) => (kind === 'order') === (orderNo !== undefined), {
    path: ['orderNo'],
    message: 'a mail about an order names it, and no other mail does',
  });
