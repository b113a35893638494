import 'server-only';
import type { ChallengeKind } from '@/lib/challenge/types';
import type { SaleInfo } from '@/lib/sale/types';
import type { Asker } from './limit-request';
import { isChallengedByRisk } from './risk-of';

/** What somebody has to solve before entry: what the sale asks of everybody, or a calculation if a risk rule asks for one. */
export function challengeFor({ challenge }: SaleInfo, asker: Asker): ChallengeKind | null {
  if (challenge !== 'none') return challenge;
  return isChallengedByRisk(asker) ? 'pow' : null;
}
