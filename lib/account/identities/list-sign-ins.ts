import 'server-only';
import type { SignIns } from '@/lib/contract/shapes/sign-in';
import { db } from '@/lib/db/client';
import { env } from '@/lib/env';
import { hasPassword } from '../has-password';
import { nameOfServer } from './name-of-server';

/** Lists the ways in which an account can be signed in to. */
export async function listSignIns(userId: string): Promise<SignIns> {
  const { passwordHash, identities } = await db().user.findUniqueOrThrow({
    where: { id: userId },
    select: { passwordHash: true, identities: { orderBy: { id: 'asc' } } },
  });
  const offered = env().openId;
  const isJoined = identities.some(({ issuer }) => issuer === offered?.issuer);
  return {
    hasPassword: hasPassword({ passwordHash }),
    others: identities.map(({ id, issuer, createdAt }) => ({
      identityId: id,
      name: nameOfServer(issuer),
      isOffered: issuer === offered?.issuer,
      addedAt: createdAt.getTime(),
    })),
    offered: offered && !isJoined ? offered.name : null,
  };
}
