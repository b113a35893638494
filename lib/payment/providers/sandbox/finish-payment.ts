import 'server-only';
import type { SandboxPage } from '@/lib/contract/shapes/payment';
import { newId } from '@/lib/ids/new-id';
import { callBack } from './call-back';
import { decideOutcome } from './decide-outcome';
import { readSandboxPage } from './read-page';

type FinishResult = { status: 'finished'; page: SandboxPage } | { status: 'not_found' | 'callback_refused' };

/**
 * Handles "pay" or "decline" on the sandbox's page: tells the shop over HTTP. A payment that has succeeded is not
 * made again, and "decline" does not undo one the shop has not heard of. All successes of one payment share a webhook
 * id, so a double click sends the same callback twice.
 */
export async function finishPayment(
  paymentId: string,
  token: string,
  decision: 'pay' | 'decline',
): Promise<FinishResult> {
  const page = await readSandboxPage(paymentId, token);
  if (!page) return { status: 'not_found' };
  if (page.status !== 'pending' && page.status !== 'failed') return { status: 'finished', page };
  const outcome = await decideOutcome(page, decision === 'pay' ? 'succeeded' : 'failed');
  const isTaken =
    outcome === 'succeeded'
      ? await callBack(`msg_${paymentId}_succeeded`, 'payment.succeeded', page)
      : await callBack(newId('msg'), 'payment.failed', page);
  if (!isTaken) return { status: 'callback_refused' };
  return { status: 'finished', page: (await readSandboxPage(paymentId, token)) ?? page };
}
