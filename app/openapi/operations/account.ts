import { z } from 'zod';
import { registerSchema } from '@/lib/account/register';
import { verifyEmailSchema } from '@/lib/account/verify-email';
import { pageSchema } from '@/lib/http/cursor';
import { markReadSchema } from '@/lib/notify/mark-read';
import { NOTICE_KINDS, type NotificationView } from '@/lib/notify/types';
import type { PointsEntryView } from '@/lib/points/read-points';
import type { Area } from '../operation';
import { count, currency, money, pageOf, time } from '../views/common';

const notification = z
  .object({
    ...{ id: z.string(), kind: z.enum(NOTICE_KINDS), orderNo: z.string(), saleTitle: z.string() },
    ...{ amountMinor: money, currency, payBy: time, createdAt: time, readAt: time.nullable() },
  })
  .meta({ id: 'Notification' }) satisfies z.ZodType<NotificationView>;

const pointsEntry = z.object({
  orderNo: z.string(),
  kind: z.enum(['earned', 'taken_back']),
  points: z.int(),
  createdAt: time,
}) satisfies z.ZodType<PointsEntryView>;

const unread = count.describe('At most 100.');

export const account: Area = {
  name: 'Account',
  says: 'Registration, points and notices. Signing in and out is next-auth at `/api/auth`: `GET csrf`, then `POST callback/credentials`.',
  operations: [
    {
      id: 'register',
      method: 'POST',
      path: '/api/register',
      who: 'nothing',
      says: 'Creates an account and sends a mail to verify its address.',
      body: registerSchema,
      answers: { 201: z.object({ userId: z.string() }) },
      errors: ['EMAIL_TAKEN'],
    },
    {
      id: 'sendVerification',
      method: 'POST',
      path: '/api/email/send',
      who: 'user',
      says: 'Sends that mail again; 200 if the address is verified already.',
      answers: {
        202: z.object({ verified: z.literal(false) }),
        200: z.object({ verified: z.literal(true) }),
      },
      errors: ['RATE_LIMITED'],
    },
    {
      id: 'verifyEmail',
      method: 'POST',
      path: '/api/email/verify',
      who: 'nothing',
      says: 'Redeems the token of the link in the mail; it alone says whose address it is.',
      body: verifyEmailSchema,
      answers: { 200: z.object({ verified: z.literal(true) }) },
      errors: ['VERIFICATION_INVALID'],
    },
    {
      id: 'readPoints',
      method: 'GET',
      path: '/api/points',
      who: 'user',
      says: 'The balance, and what led to it, newest first.',
      query: pageSchema,
      answers: { 200: pageOf('entries', pointsEntry).extend({ balance: z.int() }) },
    },
    {
      id: 'listNotifications',
      method: 'GET',
      path: '/api/notifications',
      who: 'user',
      says: 'What the shopper was told, newest first.',
      query: pageSchema,
      answers: { 200: pageOf('notifications', notification).extend({ unread }) },
    },
    {
      id: 'countUnread',
      method: 'GET',
      path: '/api/notifications/unread',
      who: 'user',
      says: 'What the bell shows.',
      answers: { 200: z.object({ unread }) },
    },
    {
      id: 'markRead',
      method: 'POST',
      path: '/api/notifications/read',
      who: 'user',
      says: 'Marks those named as read, or all.',
      body: markReadSchema,
      isBodyOptional: true,
      answers: { 200: z.object({ unread }) },
    },
  ],
};
