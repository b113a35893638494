import 'server-only';
import type { PasskeyView } from '@/lib/contract/shapes/passkey';
import { type Db, db } from '@/lib/db/client';

/** So many may an account have. */
export const MAX_PASSKEYS = 20;

/** Lists the passkeys of an account for its owner, the latest added first. */
export async function listPasskeys(userId: string): Promise<PasskeyView[]> {
  const rows = await db().passkey.findMany({
    where: { userId },
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: MAX_PASSKEYS,
  });
  return rows.map(({ id, name, createdAt, lastUsedAt }) => ({
    passkeyId: id,
    name,
    addedAt: createdAt.getTime(),
    lastUsedAt: lastUsedAt?.getTime() ?? null,
  }));
}

/** Describes an account's passkeys to its browser: which may answer, or must not be added twice. */
export async function describePasskeys(userId: string, tx: Db = db()) {
  const rows = await tx.passkey.findMany({
    where: { userId },
    select: { credentialId: true, transports: true },
    take: MAX_PASSKEYS,
  });
  return rows.map(({ credentialId, transports }) => ({
    id: credentialId,
    type: 'public-key' as const,
    transports,
  }));
}
