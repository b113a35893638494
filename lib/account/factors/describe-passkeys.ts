import 'server-only';
import type { PasskeyQuestion } from '@/lib/contract/shapes/passkey';
import { db } from '@/lib/db/client';

/** The most passkeys of one account. */
export const MAX_PASSKEYS = 20;

/** Describes an account's passkeys to its browser: those that may answer, or must not be added twice. */
export async function describePasskeys(userId: string): Promise<PasskeyQuestion['allowCredentials']> {
  const rows = await db().passkey.findMany({
    where: { userId },
    select: { credentialId: true, transports: true },
    take: MAX_PASSKEYS,
  });
  return rows.map(({ credentialId, transports }) => ({ id: credentialId, type: 'public-key', transports }));
}
