import 'server-only';
import { verifyChain } from '@/lib/audit/verify-chain';
import { shareBriefly } from '@/lib/cache/share-briefly';
import type { ChainVerification } from '@/lib/contract/shapes/audit';

/** However many people look, the log is read from its beginning at most this often. */
const MAX_AGE_MS = 15_000;

const shared = shareBriefly(MAX_AGE_MS, verifyChain);

/** Tells whether the audit log is unaltered, as computed within the last 15 s. */
export const recentAuditCheck = (): Promise<ChainVerification> => shared('');
