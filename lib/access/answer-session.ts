import 'server-only';
import { json } from '@/lib/http/json';
import type { HeaderReader } from '@/lib/http/request-head';
import { findSignedIn } from './find-signed-in';

/** Tells who is signed in, as NextAuth tells its clients: `{user, expires}`, or `{}` if nobody is. */
export async function answerSession(headers: HeaderReader): Promise<Response> {
  const found = await findSignedIn(headers);
  return json(found ? { user: found.user, expires: new Date(found.expiresAt).toISOString() } : {});
}
