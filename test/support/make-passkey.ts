import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';

/** For tests: adds a passkey to an account, directly in the database. It can't sign in. */
export const makePasskey = (userId: string) =>
  db().passkey.create({
    data: {
      id: newId('pk'),
      userId,
      credentialId: newId('credential'),
      publicKey: Buffer.alloc(1),
      name: 'My phone',
      lastChallengeAt: new Date(),
    },
  });
