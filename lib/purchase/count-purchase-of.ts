import 'server-only';
import { limitRequest } from '@/lib/limit/limit-request';
import { LIMIT_SCOPES, type RateLimited } from '@/lib/redis/limit-policy';
import type { Asking } from './decider';

/** Counts a purchase against the sale's limits. For all deciders but the script, which counts by itself. */
export const countPurchaseOf =
  ({ info, requester }: Asking) =>
  (): Promise<RateLimited | null> =>
    limitRequest(info, 'purchase', requester, LIMIT_SCOPES);
