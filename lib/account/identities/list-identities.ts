import 'server-only';
import type { Identities } from '@/lib/contract/shapes/identity';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { NO_PASSWORD } from '../hash-password';

/** Names a sign-in server for people; one that the shop no longer uses by its host. */
export function nameOfServer(issuer: string): string {
  const { openId } = env();
  return openId?.issuer === issuer ? openId.name : new URL(issuer).host;
}

/** Lists the sign-in servers that open an account, and the one that it may join. */
export async function listIdentities(userId: string): Promise<Identities> {
  const { passwordHash, identities } = await db().user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true, identities: { orderBy: { id: 'asc' } } },
  });
  const { openId } = env();
  const isJoined = identities.some(({ issuer }) => issuer === openId?.issuer);
  return {
    hasPassword: passwordHash !== NO_PASSWORD,
    identities: identities.map(({ id, issuer, createdAt }) => ({
      identityId: id,
      name: nameOfServer(issuer),
      addedAt: createdAt.getTime(),
    })),
    offered: openId && !isJoined ? openId.name : null,
  };
}
