import { hash } from '@node-rs/argon2';
import type { Role } from '@/lib/contract/words/roles';
import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';

export const PASSWORD = 'correct horse';

/** The cheapest argon2 settings: the tests check who may try, not how long a try takes. */
const CHEAP = { memoryCost: 8, timeCost: 1, parallelism: 1 };
let cheapHash: Promise<string> | undefined;

/** Creates an account that can sign in with `PASSWORD`, directly in the database. */
export async function makeAccount(role: Role = 'shopper', email = `${newId('a')}@example.com`) {
  cheapHash ??= hash(PASSWORD, CHEAP);
  const passwordHash = await cheapHash;
  return db().user.create({ data: { id: newId('user'), email, name: role, passwordHash, role } });
}

/** The same with a verified address: only then may a shopper add a way in. */
export async function makeVerified() {
  const { id } = await makeAccount();
  return db().user.update({ where: { id }, data: { emailVerifiedAt: new Date() } });
}
