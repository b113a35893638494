import 'server-only';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import { signEntryToken } from '@/lib/entry/sign-entry-token';
import { newId } from '@/lib/ids/new-id';
import { loadUserId } from './create-load-users';

const GRACE_MS = 60 * 60 * 1000;

/**
 * Makes entry tokens for the first `count` load-test users, as if entry were open to all of them now. Each call makes
 * new ones, so that a load test can be repeated.
 */
export function* loadTokens(
  sale: SaleInfo,
  count: number,
): Generator<{ userId: string; entryToken: string }> {
  const expiresAt = Math.max(sale.endsAt, nowMs()) + GRACE_MS;
  for (let n = 1; n <= count; n += 1) {
    const userId = loadUserId(n);
    const claims = {
      userId,
      saleId: sale.saleId,
      level: sale.minLevel,
      jti: newId('jti'),
      expiresAt,
      device: '',
    };
    yield { userId, entryToken: signEntryToken(claims) };
  }
}
