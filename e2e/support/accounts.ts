import { randomBytes } from 'node:crypto';
import type { Role } from '../../lib/contract/words/roles';
import { newId } from '../../lib/ids/new-id';
import type { Client } from './client';
import { execute } from './database';
import { clientOf } from './sessions';

const PASSWORD = 'correct horse battery';
/** Its hash at the shop's cost: sign-in pages accept it, and no test waits for it. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$meT5jbcgdI3zvOq55zGmgw$g05OIu+8Xt/kcqX7DkmXjlm2uBvsSevfxpKOJTZ/X0M';

export type Shopper = { client: Client; email: string; password: string; userId: string };

/** Returns a unique text for slugs and addresses. */
export const unique = (): string => randomBytes(6).toString('hex');

/** Makes a shopper of the test's own, signed in; without a mail, which registering would send. */
export const newShopper = (): Promise<Shopper> => newAccount('shopper');

/** Makes a shopper whose address is verified, and who may therefore add ways in. */
export async function newVerifiedShopper(): Promise<Shopper> {
  const shopper = await newShopper();
  await execute('UPDATE users SET email_verified_at = now() WHERE id = $1', [shopper.userId]);
  return shopper;
}

/** Makes a member of staff of the test's own for the admin area, signed in. */
export const newStaff = (role: 'merchant' | 'support' | 'auditor' | 'operator'): Promise<Shopper> =>
  newAccount(role);

async function newAccount(role: Role): Promise<Shopper> {
  const [userId, email] = [newId('user'), `e2e-${unique()}@example.com`];
  await execute(
    "INSERT INTO users (id, email, name, password_hash, role) VALUES ($1, $2, 'Test Shopper', $3, $4)",
    [userId, email, PASSWORD_HASH, role],
  );
  return { client: await clientOf(email), email, password: PASSWORD, userId };
}

let merchant: Promise<Client> | undefined;
let admin: Promise<Client> | undefined;

/** Returns the demo's merchant, signed in once per worker. */
export function demoMerchant(): Promise<Client> {
  merchant ??= clientOf('merchant@example.com');
  return merchant;
}

export function demoAdmin(): Promise<Client> {
  admin ??= clientOf('admin@example.com');
  return admin;
}
