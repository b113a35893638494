import 'server-only';
import { findRefundsDue } from '@/lib/payment/records/find-refunds-due';
import { returnMoney } from './return-money';

const ROUNDS = 10;

/**
 * Handles money that is still due back after a minute: its message was lost, or its provider kept failing. A payment
 * that fails does not hold up the others; the next sweep tries it again.
 */
export async function sweepRefunds(): Promise<{ refunded: number; failed: string[] }> {
  const failed: string[] = [];
  let refunded = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await findRefundsDue(failed);
    if (due.length === 0) break;
    for (const paymentId of due) {
      try {
        refunded += await returnMoney([{ paymentId }]);
      } catch {
        // The failure was logged where it happened.
        failed.push(paymentId);
      }
    }
  }
  return { refunded, failed };
}
