import { ask } from './ask';
import { ownHeaders } from './sign-in';

/** Publishing waits for whatever else the machine does. */
const TIMEOUT_MS = 60_000;

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
    timeoutMs: TIMEOUT_MS,
  });
  if (reply.kind === 'unanswered' || reply.httpStatus >= 300)
    throw new Error(`${path}: ${JSON.stringify(reply)}`);
  return reply.body;
}
