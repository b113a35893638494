import type { SaleInfo } from '@/lib/contract/shapes/sale';

/** The facts about a user that a sale may require. An unknown fact counts as not met. */
export type Member = {
  level: number;
  /** Epoch ms. */
  createdAt?: number;
  /** Epoch ms; null: not verified. */
  emailVerifiedAt?: number | null;
};

export type UnmetThreshold =
  | { status: 'level_too_low'; minLevel: number }
  | { status: 'account_too_new'; oldEnoughAt: number | null }
  | { status: 'email_unverified' };

/**
 * Returns the first threshold of a sale that a member does not meet, or null: level, age of the account, verified
 * e-mail.
 */
export function findUnmetThreshold(
  { minLevel, minAccountAgeSec, requireVerifiedEmail }: Thresholds,
  { level, createdAt, emailVerifiedAt = null }: Member,
  nowMs: number,
): UnmetThreshold | null {
  if (level < minLevel) return { status: 'level_too_low', minLevel };
  if (minAccountAgeSec > 0) {
    const oldEnoughAt = createdAt === undefined ? null : createdAt + minAccountAgeSec * 1000;
    if (oldEnoughAt === null || nowMs < oldEnoughAt) return { status: 'account_too_new', oldEnoughAt };
  }
  return requireVerifiedEmail && emailVerifiedAt === null ? { status: 'email_unverified' } : null;
}

type Thresholds = Pick<SaleInfo, 'minLevel' | 'minAccountAgeSec' | 'requireVerifiedEmail'>;
