import 'server-only';
import { db } from '@/lib/db/client';
import type { StatementLine, StatementPage } from '../provider';
import { adoptPayments } from './adopt-payments';
import { listPayments } from './list-payments';
import { heldOf, metadataOf, type Payment } from './state-of';

/**
 * How long after it was made a payment is usually paid, ms: Mollie's list says when payments were made, and has no other
 * order. Money of ways that take longer is found by callbacks, by questions for a day, and by `npm run verify`.
 */
const PAID_WITHIN_MS = 3_600_000;
const CURSOR = /^(back|on) (tr_\w{1,60})$/;

/**
 * Returns one page of the money that Mollie took since `sinceMs` (epoch ms), in the order in which its payments were
 * made. Leaves out what this shop has not opened. Payments of this shop that a restored database does not know are
 * known again. @throws ProviderFault
 */
export async function readStatement(sinceMs: number, after = ''): Promise<StatementPage> {
  const [, way, id] = CURSOR.exec(after) ?? [];
  const start = sinceMs - PAID_WITHIN_MS;
  if (way === 'on' || start <= 0) return readOn(sinceMs, id);
  if (way === 'back') return goBack(sinceMs, start, id);
  const earlier = await db().molliePayment.findFirst({
    where: { createdAt: { lt: new Date(start) } },
    orderBy: { createdAt: 'desc' },
  });
  return earlier?.pageId ? readOn(sinceMs, earlier.pageId) : goBack(sinceMs, start);
}

/** Looks for the first payment since `start`, from the newest one back, a page at a time. */
async function goBack(sinceMs: number, start: number, from?: string): Promise<StatementPage> {
  const payments = await listPayments('desc', from);
  const next = payments.nextPageCursor;
  const last = payments.at(-1);
  if (!last) return { lines: [], next: null };
  if (next !== undefined && Date.parse(last.createdAt) >= start) return { lines: [], next: `back ${next}` };
  return readOn(sinceMs, last.id);
}

async function readOn(sinceMs: number, from?: string): Promise<StatementPage> {
  const payments = await listPayments('asc', from);
  const taken = payments.filter(({ paidAt }) => paidAt !== undefined && Date.parse(paidAt) >= sinceMs);
  await adoptPayments(taken);
  const lines = taken.flatMap(toLine).sort((a, b) => a.at - b.at);
  const next = payments.nextPageCursor;
  const last = payments.at(-1);
  return {
    lines,
    next: next === undefined ? null : `on ${next}`,
    // A payment of a later page was made after this one, and is paid later still.
    ...(last && { readUntil: Date.parse(last.createdAt) }),
  };
}

function toLine(payment: Payment): StatementLine[] {
  const ours = metadataOf(payment);
  if (!ours || payment.status !== 'paid' || !payment.paidAt) return [];
  return [{ paymentId: ours.paymentId, ...heldOf(payment), at: Date.parse(payment.paidAt) }];
}
