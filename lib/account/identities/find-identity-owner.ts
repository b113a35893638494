import 'server-only';
import { db } from '@/lib/db/client';
import type { Identity } from '@/lib/open-id/types';
import type { User } from '@/prisma/generated/client';

/** Returns the account that an identity opens, also one that may not be opened now; null: none. */
export async function findIdentityOwner({ issuer, subject }: Identity): Promise<User | null> {
  const found = await db().identity.findUnique({
    where: { issuer_subject: { issuer, subject } },
    select: { user: true },
  });
  return found?.user ?? null;
}
