import { z } from 'zod';
import type { WaitingApproval } from '@/lib/desk/approvals/find-waiting';
import type { RequestApprovalResult } from '@/lib/desk/approvals/request-approval';
import type { Approval } from '@/lib/desk/approvals/types';
import { count, currency, money, time } from './common';

/** The answer 202 to what takes a second person. */
export const pendingApproval = z.object({
  status: z.literal('pending'),
  ...{ approvalId: z.string(), expiresAt: time },
}) satisfies z.ZodType<RequestApprovalResult>;

export const waitingApproval = z
  .object({
    ...{ approvalId: z.string(), reason: z.string(), requestedBy: z.string() },
    requestedByEmail: z.string().nullable(),
    ...{ requestedAt: time, expiresAt: time },
  })
  .meta({ id: 'WaitingApproval' }) satisfies z.ZodType<WaitingApproval>;

const common = { saleId: z.string(), reason: z.string() };

export const approval = z
  .object({
    approvalId: z.string(),
    request: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('stock_increase'), ...common, delta: count }),
      z.object({
        kind: z.literal('refund'),
        ...common,
        ...{ orderNo: z.string(), returnStock: z.boolean(), amountMinor: money, currency },
      }),
    ]),
    saleTitle: z.string(),
    status: z.enum(['pending', 'approved', 'rejected', 'failed', 'expired']),
    ...{ requestedBy: z.string(), requestedAt: time, expiresAt: time },
    ...{ decidedBy: z.string().nullable(), decidedAt: time.nullable() },
    outcome: z.string().nullable().describe('Why it failed, or the words of who rejected it.'),
  })
  .meta({ id: 'Approval' }) satisfies z.ZodType<Approval>;
