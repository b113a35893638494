import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import { Client } from './client';
import { execute } from './database';
import { emailChangeTokensOf } from './mails';

const PASSWORD = 'correct horse battery';

export type Shopper = { client: Client; email: string; password: string; userId: string };

/** Returns a unique text for slugs and addresses. */
export const unique = (): string => randomBytes(6).toString('hex');

/** Makes a shopper of the test's own, signed in. */
export async function newShopper(): Promise<Shopper> {
  const client = new Client();
  const email = `e2e-${unique()}@example.com`;
  const registered = await client.post('/api/register', {
    email,
    password: PASSWORD,
    name: 'Test Shopper',
  });
  if (registered.status !== 201) throw new Error(`not registered: ${registered.status} ${registered.text}`);
  await client.signIn(email, PASSWORD);
  return { client, email, password: PASSWORD, userId: String(registered.body.userId) };
}

/** Makes a member of staff of the test's own for the admin area, signed in. */
export async function newStaff(role: 'merchant' | 'support' | 'auditor' | 'operator'): Promise<Shopper> {
  const account = await newShopper();
  await execute('UPDATE users SET role = $1 WHERE id = $2', [role, account.userId]);
  // Signs in again: the session still holds the role of the moment it began.
  const client = await new Client().signIn(account.email, account.password);
  return { ...account, client };
}

/** Asks for another address of a shopper's account, and returns the tokens of both mails. */
export async function askedEmailChange({ client, email, password }: Shopper) {
  const newEmail = `e2e-${unique()}@example.com`;
  const asked = await client.post('/api/account/email', { newEmail, currentPassword: password });
  if (asked.status !== 202) throw new Error(`not asked: ${asked.status} ${asked.text}`);
  const tokens = () => emailChangeTokensOf(email, newEmail);
  await expect.poll(() => Object.values(tokens()).every(Boolean), { timeout: 150_000 }).toBe(true);
  return { newEmail, ...tokens() };
}

let merchant: Promise<Client> | undefined;
let admin: Promise<Client> | undefined;

/** Returns the demo's merchant, signed in once per worker. */
export function demoMerchant(): Promise<Client> {
  merchant ??= new Client().signIn('merchant@example.com', 'demo-password');
  return merchant;
}

export function demoAdmin(): Promise<Client> {
  admin ??= new Client().signIn('admin@example.com', 'demo-password');
  return admin;
}
