import 'server-only';
import { describeWait } from '@/lib/access/describe-wait';
import type { Actor } from '@/lib/actor/actor';
import type { ShopView } from '@/lib/contract/shapes/team';
import type { ErrorCode } from '@/lib/errors/codes';
import { problem } from '@/lib/http/problem';
import { readShop } from './read-shop';

const CODES = {
  not_found: 'SHOP_NOT_FOUND',
  no_member: 'MEMBER_NOT_FOUND',
  last_owner: 'LAST_OWNER',
  is_member: 'ALREADY_MEMBER',
  full: 'SHOP_FULL',
  too_many: 'RATE_LIMITED',
  not_sent: 'UNAVAILABLE',
  demo_account: 'DEMO_ACCOUNT',
  version_conflict: 'VERSION_CONFLICT',
} as const satisfies Record<string, ErrorCode>;

/** When to try again to invite somebody: each invitation counts for a day. */
const INVITE_LATER_MS = 3_600_000;

/** Makes the refusal that a result stands for. */
export const refusalOf = (result: keyof typeof CODES): Response =>
  problem(CODES[result], result === 'too_many' ? describeWait('invitation', INVITE_LATER_MS) : undefined);

/** Makes the answer to a change of a shop: the shop as it is now, or the refusal. */
export async function answerShop(
  actor: Actor,
  shopId: string,
  result: 'changed' | keyof typeof CODES,
): Promise<Response | ShopView> {
  if (result !== 'changed') return refusalOf(result);
  return (await readShop(actor, shopId)) ?? refusalOf('not_found');
}
