import 'server-only';
import { db } from '@/lib/db/client';
import type { ProviderState } from '../provider';

/** What the sandbox's own books say of a payment: its answer to the shop's question. */
export async function queryState(paymentId: string): Promise<ProviderState> {
  const row = await db().sandboxPayment.findUnique({ where: { paymentId } });
  if (!row) return { status: 'unknown' };
  const { amountMinor, currency } = row;
  return { status: row.outcome === 'succeeded' ? 'succeeded' : 'failed', amountMinor, currency };
}
