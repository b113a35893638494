import { z } from 'zod';
import { APPROVAL_STATUSES } from '../words/approval';
import { count, currency, money, requestId, time } from './common';

/** The 202 answer to a request that takes a second person. */
export const pendingApproval = z.object({
  status: z.literal('pending'),
  approvalId: z.string(),
  expiresAt: time,
});
export type PendingApproval = z.output<typeof pendingApproval>;

export const waitingApproval = z
  .object({
    approvalId: z.string(),
    reason: z.string(),
    requestedBy: z.string(),
    requestedByEmail: z.string().nullable().describe('Null where the account is gone.'),
    requestedAt: time,
    expiresAt: time,
  })
  .meta({ id: 'WaitingApproval' });

/** A request that nobody has decided yet. */
export type WaitingApproval = z.output<typeof waitingApproval>;

const common = { saleId: z.string(), reason: z.string() };

const approvalRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stock_increase'),
    ...common,
    delta: count,
    variant: z.int().optional().describe('The number of the variant, where the sale has some.'),
    requestId,
  }),
  z.object({
    kind: z.literal('refund'),
    ...common,
    orderNo: z.string(),
    returnStock: z.boolean(),
    amountMinor: money,
    currency,
  }),
  z.object({
    kind: z.literal('refund_part'),
    ...common,
    orderNo: z.string(),
    amountMinor: money,
    currency,
    requestId: requestId.unwrap(),
  }),
]);

/** The change to approve: add `delta` units, or refund an order as a whole or in part. */
export type ApprovalRequest = z.output<typeof approvalRequest>;

export const approval = z
  .object({
    approvalId: z.string(),
    request: approvalRequest,
    saleTitle: z.string().describe('With the name of the variant, where the request is about one.'),
    status: z.enum(APPROVAL_STATUSES),
    requestedBy: z.string(),
    requestedAt: time,
    expiresAt: time,
    decidedBy: z.string().nullable(),
    decidedAt: time.nullable(),
    outcome: z.string().nullable().describe('Why it failed, or the words of who rejected it.'),
  })
  .meta({ id: 'Approval' });

/** A request and its outcome. */
export type Approval = z.output<typeof approval>;

const email = z.string().nullable().describe('Null where there is no account any more.');

export const listedApproval = approval
  .extend({
    requestedByEmail: email,
    decidedByEmail: email,
    isOwn: z.boolean().describe('Asked for by whoever reads this, who may not allow it.'),
  })
  .meta({ id: 'ListedApproval' });

export type ListedApproval = z.output<typeof listedApproval>;

export const approvalFilter = z.object({ status: z.enum(['pending', 'all']).default('all') });
export type ApprovalFilter = z.output<typeof approvalFilter>;
