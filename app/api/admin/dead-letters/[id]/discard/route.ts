import { authorize } from '@/lib/account/authorize';
import { discardDeadLetter, discardDeadLetterSchema } from '@/lib/desk/dead-letters/discard-dead-letter';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, discardDeadLetterSchema);
  if (!body.ok) return body.response;
  const result = await discardDeadLetter(auth.user, id, body.data.reason);
  switch (result.status) {
    case 'discarded':
      return json(result.deadLetter);
    case 'resolved':
      return problem('DEAD_LETTER_STATE', { detail: `It is resolved: ${result.resolution}.` });
    case 'not_found':
      return problem('DEAD_LETTER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
