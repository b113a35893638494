import { encode } from 'next-auth/jwt';
import { LONGEST_SESSION_SEC, lifetimeOf } from '../../lib/account/sessions/lifetimes';
import type { Role } from '../../lib/contract/words/roles';
import { randomText } from '../../lib/ids/new-id';
import { Client } from './client';
import { setting } from './commands';
import { execute } from './database';

type User = { id: string; email: string; name: string; role: Role; level: number; session_version: number };

/** As `startSession` makes it. */
const ID_LENGTH = 20;

/**
 * Returns a client with a session of this account, begun in the product's database. No password is hashed: on a busy
 * machine sign-ins wait, which tests of other things should not.
 * @throws if there is no such account
 */
export async function clientOf(email: string): Promise<Client> {
  const [user] = (await execute(
    'SELECT id, email, name, role, level, session_version FROM users WHERE email = $1',
    [email],
  )) as User[];
  if (!user) throw new Error(`there is no account ${email}`);
  const { id, name, role, level } = user;
  const sessionId = randomText(ID_LENGTH);
  await execute(
    `INSERT INTO sessions (id, user_id, session_version, browser, expires_at)
     VALUES ($1, $2, $3, 'A test', $4)`,
    [sessionId, id, user.session_version, new Date(Date.now() + lifetimeOf(role).absoluteMs)],
  );
  const token = { sub: id, sid: sessionId, email, name, role, level };
  const cookie = await encode({
    token,
    secret: setting('NEXTAUTH_SECRET'),
    maxAge: LONGEST_SESSION_SEC,
  });
  return new Client().keep('next-auth.session-token', cookie);
}
