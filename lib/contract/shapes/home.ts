import { z } from 'zod';
import { count, currency, filterTime, money, time, units } from './common';
import { phase } from './sale';

const homeSale = z.object({
  saleId: z.string(),
  title: z.string(),
  phase,
  startsAt: time,
  endsAt: time,
  currency,
  total: units,
  held: count.describe('Units with time to pay, as Postgres knows: a moment old.'),
  sold: count,
  paidMinor: money.describe('Paid for its orders and not given back.'),
});
/** How one sale stands, for the first page of the admin area. */
export type HomeSale = z.output<typeof homeSale>;

const takings = z.object({
  currency,
  paidMinor: money,
  orders: count,
  items: count,
});
/** What was taken in one currency. */
export type Takings = z.output<typeof takings>;

export const homeWish = z.object({
  from: filterTime
    .optional()
    .describe('When the day began for who looks; a day ago if left out, and never more than a week ago.'),
});

export const home = z
  .object({
    at: time,
    from: time,
    takings: z
      .array(takings)
      .describe(
        'Paid since `from` and not given back, by currency, most first. Of many orders a moment old.',
      ),
    running: z.array(homeSale).describe('Live and paused sales, those that end first first; at most 10.'),
    runningCount: count,
    next: z.array(homeSale).describe('Sales to come, the next first; at most 3.'),
    nextCount: count,
    drafts: count,
    needs: z
      .object({
        alerts: count.describe('Firing alerts that nobody has acknowledged.'),
        approvals: count.describe('Requests that wait for somebody’s decision.'),
        deadLetters: count.describe('Purchases and payments that got stuck.'),
        webhooks: count.describe('Webhooks that turned themselves off; 0 for who may not change them.'),
      })
      .describe('What waits for somebody.'),
  })
  .meta({ id: 'AdminHome' });
export type Home = z.output<typeof home>;
