import { authorize } from '@/lib/account/authorize';
import { retryDeadLetters, retryDeadLettersSchema } from '@/lib/desk/dead-letters/retry-dead-letter';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

/** Everything that is open, or all of a consumer or a sale; at most 1,000 at a time. */
export const POST = route(async (request) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, retryDeadLettersSchema, { allowEmpty: true });
  if (!body.ok) return body.response;
  return json(await retryDeadLetters(auth.user, body.data));
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
