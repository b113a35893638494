import 'server-only';
import { LRUCache } from 'lru-cache';
import { processWide } from '@/lib/process-wide';
import { countMember } from './count-members';
import { DAY_SEC, type ScoreFacts } from './score';
import type { RiskSubjects } from './types';

/** Of so many accounts one is counted at its address, and stands for all: a score asks there whether it is thousands. */
export const SAMPLED_OF = 16;
/** About 100 bytes each. An address that is forgotten looks empty until its next sampled account. */
const MOST_ADDRESSES = 50_000;
const REMEMBERED_MS = 600_000;

const crowds = processWide(
  'crowds-at-addresses',
  () => new LRUCache<string, number>({ max: MOST_ADDRESSES, ttl: REMEMBERED_MS }),
);

/**
 * Counts somebody who enters or joins among the accounts of the device and the address.
 * Counts at once, not afterwards as the rules do: of six hundred accounts that one device sends in the same moment, the
 * hundredth is counted as the hundredth. Each account counts once, however often it asks. How many there are at an address
 * in all is estimated from every sixteenth account, so that a crowd's entries ask Redis seldom.
 * @param subjects with an account; unknown ones are empty. @param isNew the account is less than a day old
 * @throws connection errors
 */
export async function countCompany(
  { user, ip, device }: RiskSubjects,
  isNew: boolean,
): Promise<Pick<ScoreFacts, 'deviceAccounts' | 'networkAccounts' | 'networkNewAccounts'>> {
  const [deviceAccounts, networkAccounts, networkNewAccounts] = await Promise.all([
    device === ''
      ? undefined
      : countMember({ metric: 'accounts', windowSec: DAY_SEC, kind: 'device', value: device }, user),
    ip === '' ? undefined : countCrowd(ip, user),
    ip === '' || !isNew
      ? undefined
      : countMember({ metric: 'new_accounts', windowSec: DAY_SEC, kind: 'ip', value: ip }, user),
  ]);
  return { deviceAccounts, networkAccounts, networkNewAccounts };
}

async function countCrowd(ip: string, user: string): Promise<number | undefined> {
  if (!isSampled(user)) return crowds.get(ip);
  const counter = { metric: 'sampled_accounts', windowSec: DAY_SEC, kind: 'ip', value: ip } as const;
  const crowd = SAMPLED_OF * (await countMember(counter, user));
  crowds.set(ip, crowd);
  return crowd;
}

/** By the id's last character, which is random: an account is in the sample always, or never. */
export const isSampled = (user: string): boolean => user.charCodeAt(user.length - 1) % SAMPLED_OF === 0;
