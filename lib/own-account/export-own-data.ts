import 'server-only';
import { type Caller, countedOf } from '@/lib/access/caller';
import { claimRequest } from '@/lib/access/claim-request';
import type { CurrentUser } from '@/lib/account/types';
import { recordAction } from '@/lib/audit/record-action';
import { transaction } from '@/lib/db/transaction';
import { keys } from '@/lib/redis/keys';
import { unlessThrown } from '@/lib/tries/claim-try';
import { hashSubject } from '@/lib/tries/hash-subject';
import type { TryCounter } from '@/lib/tries/types';
import { streamOwnData } from './stream-own-data';

const DAY_MS = 24 * 3_600_000;
/** Files that one account may take away within a day. */
const EXPORTS_A_DAY = 3;

type ExportResult =
  | { status: 'going'; pieces: AsyncIterable<Uint8Array> }
  | { status: 'limited'; waitMs: number };

/**
 * Lets a person take away what is kept about them. An export that can't be recorded doesn't happen.
 * @returns the pieces of the file
 */
export async function exportOwnData({ userId, role }: CurrentUser, caller: Caller): Promise<ExportResult> {
  const claimed = await claimRequest('export', countedOf(caller), [byAccount(userId)]);
  if (claimed.status === 'wait') return { status: 'limited', waitMs: claimed.waitMs };
  const recorded = transaction((tx) =>
    recordAction(
      tx,
      { userId, role },
      { action: 'user.export', subject: { kind: 'user', id: userId }, before: null, after: null },
    ),
  );
  await unlessThrown(claimed.claim, recorded);
  return { status: 'going', pieces: streamOwnData(userId) };
}

const byAccount = (userId: string): TryCounter => ({
  key: keys.tries('export', 'account', hashSubject(userId)),
  kind: 'ahead',
  free: EXPORTS_A_DAY,
  baseMs: DAY_MS,
  maxMs: DAY_MS,
  keepMs: DAY_MS,
});
