import { ask } from '@/tools/harness/ask';
import type { EntryToken } from '@/tools/harness/issue-entry-token';
import { ownHeaders, sessionCookie } from '@/tools/harness/sign-in';
import type { Visit } from './shopper';

type Looker = Pick<Visit, 'webs' | 'ledger' | 'random' | 'userId'>;

/**
 * Asks any web process for an order, and notes the answer. @param token null: the account asks
 * @returns its status, or why a purchase became no order; null: no such answer
 */
export async function look(
  { webs, ledger, random, userId }: Looker,
  token: EntryToken | null,
  orderNo: string,
): Promise<{ status: string } | null> {
  const { origin } = random.pick(webs);
  const headers = token ? { 'x-entry-token': token.entryToken } : ownHeaders(sessionCookie(userId), origin);
  const reply = await ask(`${origin}/api/orders/${orderNo}`, { headers });
  if (reply.kind === 'unanswered') return null;
  const { askedAt, answeredAt, body, httpStatus } = reply;
  const status =
    httpStatus === 200
      ? String(body.status)
      : httpStatus === 409
        ? `no order: ${body.code}`
        : httpStatus === 404
          ? 'unknown'
          : `refused ${httpStatus}`;
  ledger.statuses.push({ askedAt, answeredAt, orderNo, status });
  return httpStatus === 200 || httpStatus === 409 ? { status } : null;
}
