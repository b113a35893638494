import 'server-only';
import { nowMs } from '@/lib/clock';
import { addressKey } from '@/lib/http/address-key';
import { LOAD_USER } from '@/lib/ids/load-user';
import { countLocally } from '@/lib/limit/count-locally';
import type { Requester } from '@/lib/limit/limit-request';
import type { RateLimited } from '@/lib/redis/limit-policy';
import { isOn } from '@/lib/switchboard/is-on';
import type { RiskSubjects } from './types';
import { knownRisk } from './watch-risk';

/**
 * Loopback addresses. They belong to an undeclared proxy (`TRUST_PROXY`), not to the client. If they counted as one
 * client, all shoppers would be limited for what one of them does.
 */
const LOOPBACK = /^(127\.|::1$)/;

/** Returns whom an event is about, in the words of the risk rules. Load-test users count as nobody. */
export const subjectsOf = ({ userId, address, device = '' }: Requester): RiskSubjects => ({
  user: userId.startsWith(LOAD_USER) ? '' : userId,
  ip: address === null || LOOPBACK.test(address) ? '' : addressKey(address),
  device,
});

/**
 * Tells whether a risk rule asks a shopper for a challenge before entry, whatever the sale asks. From memory. While risk
 * rules are switched off, none does.
 */
export const isChallengedByRisk = (requester: Requester): boolean => {
  const { measures } = knownRisk();
  return measures.size > 0 && isOn('risk') && measures.find(subjectsOf(requester), nowMs()).isChallenged;
};

/**
 * Counts a purchase of a shopper whom a risk rule has limited, in this process alone. Each account counts separately,
 * so that a shopper who shares an address with a script can still buy. From memory.
 * @returns null = let through
 */
export function limitByRisk(requester: Requester): RateLimited | null {
  const { measures } = knownRisk();
  if (measures.size === 0 || !isOn('risk')) return null;
  const { perMinute } = measures.find(subjectsOf(requester), nowMs());
  if (perMinute === null) return null;
  const policy = { algorithm: 'sliding-window', limit: perMinute, windowSec: 60 } as const;
  return countLocally({ user: policy }, { user: `risk:${requester.userId}` });
}
