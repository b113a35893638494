import 'server-only';
import { type Actor, mayManage } from '@/lib/actor/actor';
import { recordAction } from '@/lib/audit/record-action';
import { nowMs } from '@/lib/clock';
import type { Approval, ApprovalRequest } from '@/lib/contract/shapes/approval';
import type { ApprovalStatus } from '@/lib/contract/words/approval';
import type { ShopTopic } from '@/lib/contract/words/shop';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { NotAllowedError } from '@/lib/errors/not-allowed-error';
import { refundOrder } from '@/lib/order/admin/refund-order';
import { refundPart } from '@/lib/order/admin/refund-part';
import { restockSale } from '@/lib/sale/admin/restock-sale';
import { toApproval, WITH_SALE } from './to-approval';

export type DecideResult =
  | { status: 'decided'; approval: Approval }
  | { status: 'not_found' }
  /** The person who asked can't also approve. */
  | { status: 'own' }
  | { status: 'already'; is: ApprovalStatus };

/** Both people need it. */
const TOPIC_OF = {
  refund: 'refunds',
  refund_part: 'refunds',
  stock_increase: 'stock',
} as const satisfies Record<ApprovalRequest['kind'], ShopTopic>;

/** Another person decided first. */
class DecidedError extends Error {}

/**
 * Does what was asked for, as far as it is possible now, with the rights and in the name of the second person. The
 * decision and its effect are one transaction: however many people approve, it is done once. If it is no longer
 * possible, the approval fails and says why.
 * @throws NotAllowedError as `mayManage`, and connection errors; nothing is decided then.
 */
export async function approve(actor: Actor, approvalId: string): Promise<DecideResult> {
  const found = await findOpen(actor, approvalId);
  if (found.status !== 'open') return found;
  if (found.approval.requestedBy === actor.userId) return { status: 'own' };
  try {
    const failure = await execute(actor, found.approval);
    if (failure) await transaction((tx) => decide(tx, actor, approvalId, 'failed', failure));
  } catch (error) {
    if (!(error instanceof DecidedError)) throw error;
  }
  return tell(actor, approvalId);
}

/** Rejects a request. The person who asked may also take back their own. @param reason in the actor's words */
export async function reject(actor: Actor, approvalId: string, reason: string): Promise<DecideResult> {
  const found = await findOpen(actor, approvalId);
  if (found.status !== 'open') return found;
  try {
    await transaction((tx) => decide(tx, actor, approvalId, 'rejected', reason));
  } catch (error) {
    if (!(error instanceof DecidedError)) throw error;
  }
  return tell(actor, approvalId);
}

async function findOpen(
  actor: Actor,
  approvalId: string,
): Promise<DecideResult | { status: 'open'; approval: Approval }> {
  const row = await db().approval.findUnique({ where: { id: approvalId }, include: WITH_SALE });
  if (!row || !(await mayDecide(actor, row, db()))) return { status: 'not_found' };
  const approval = toApproval(row, nowMs());
  return approval.status === 'pending'
    ? { status: 'open', approval }
    : { status: 'already', is: approval.status };
}

const mayDecide = (actor: Actor, { kind, sale }: { kind: string; sale: { merchantId: string } }, tx: Db) =>
  mayManage(actor, sale.merchantId, TOPIC_OF[kind as ApprovalRequest['kind']], tx);

/** Does what was approved. @returns why it can't be done any more; null if it was done. @throws DecidedError */
async function execute(actor: Actor, { approvalId, request }: Approval): Promise<string | null> {
  const within = (tx: Db) => decide(tx, actor, approvalId, 'approved', null);
  const result = await perform(actor, request, within);
  switch (result.status) {
    case 'restocked':
    case 'refunded':
      // It was done otherwise in the meantime: then nothing was done within the decision's transaction.
      return (await isOpen(approvalId)) ? `already ${result.status}` : null;
    case 'wrong_state':
      return `the sale is ${result.is}`;
    case 'over':
      return 'the sale is over';
    case 'not_refundable':
      return `the order is ${result.is}`;
    default:
      return result.status;
  }
}

function perform(actor: Actor, request: ApprovalRequest, within: (tx: Db) => Promise<void>) {
  if (request.kind === 'refund') return refundOrder(actor, request.orderNo, request, { within });
  if (request.kind === 'refund_part') return refundPart(actor, request.orderNo, request, { within });
  const { saleId, delta, variant, reason, requestId } = request;
  return restockSale(actor, saleId, delta, { variant, reason, requestId, within });
}

const isOpen = async (approvalId: string): Promise<boolean> =>
  (await db().approval.count({ where: { id: approvalId, status: 'pending' } })) > 0;

/**
 * Writes the decision if there is none yet: of many people who decide at once, one succeeds. @throws DecidedError for
 * the others
 */
async function decide(
  tx: Db,
  actor: Actor,
  approvalId: string,
  status: 'approved' | 'rejected' | 'failed',
  outcome: string | null,
): Promise<void> {
  const row = await tx.approval.findUniqueOrThrow({ where: { id: approvalId }, include: WITH_SALE });
  if (!(await mayDecide(actor, row, tx)))
    throw new NotAllowedError('FORBIDDEN', TOPIC_OF[row.kind as ApprovalRequest['kind']]);
  const now = new Date(nowMs());
  const { count } = await tx.approval.updateMany({
    where: { id: approvalId, status: 'pending', expiresAt: { gt: now } },
    data: { status, outcome, decidedBy: actor.userId, decidedAt: now },
  });
  if (count !== 1) throw new DecidedError(approvalId);
  await recordAction(tx, actor, {
    action: status === 'rejected' ? 'approval.reject' : 'approval.approve',
    subject: { kind: 'approval', id: approvalId },
    before: { status: 'pending' },
    after: { status, outcome },
  });
}

async function tell(actor: Actor, approvalId: string): Promise<DecideResult> {
  const row = await db().approval.findUniqueOrThrow({ where: { id: approvalId }, include: WITH_SALE });
  const approval = toApproval(row, nowMs());
  return approval.decidedBy === actor.userId
    ? { status: 'decided', approval }
    : { status: 'already', is: approval.status };
}
