import { ask } from './ask';
import { ownHeaders } from './sign-in';

/**
 * Posts to the admin area.
 * @param session session cookie of the account that acts
 * @param path after `/api/admin/`
 * @returns the answer
 * @throws Error when the request is refused or gets no answer
 */
export async function askAdmin(
  origin: string,
  session: string,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> {
  const reply = await ask(`${origin}/api/admin/${path}`, {
    method: 'POST',
    headers: ownHeaders(session, origin),
    body: JSON.stringify(body),
  });
  if (reply.kind === 'unanswered' || reply.httpStatus >= 300)
    throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply.body;
}
