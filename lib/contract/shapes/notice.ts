import { z } from 'zod';
import { NOTICE_KINDS } from '../words/notice';
import { count, currency, money, pageOf, time } from './common';

const notification = z
  .object({
    id: z.string(),
    kind: z.enum(NOTICE_KINDS),
    orderNo: z.string().describe('Of `not_drawn`: the number that the order would have had.'),
    saleSlug: z.string().optional().describe('Older notices do not tell it.'),
    saleTitle: z.string(),
    amountMinor: money,
    currency,
    payBy: time,
    createdAt: time,
    readAt: time.nullable(),
  })
  .meta({ id: 'Notification' });

/** A notice as its reader gets it. */
export type NotificationView = z.output<typeof notification>;

export const unread = count.describe('At most 100.');

export const notificationPage = pageOf('notifications', notification).extend({ unread });
export type NotificationPage = z.output<typeof notificationPage>;

const MAX_IDS = 100;
/** Which notices were read; all if left out. */
export const readNotices = z.object({
  ids: z
    .array(z.string().regex(/^\d{1,18}$/))
    .min(1)
    .max(MAX_IDS)
    .optional(),
});
