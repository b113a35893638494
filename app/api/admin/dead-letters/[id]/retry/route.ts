import { authorize } from '@/lib/account/authorize';
import { retryDeadLetter } from '@/lib/desk/dead-letters/retry-dead-letter';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const result = await retryDeadLetter(auth.user, id);
  switch (result.status) {
    case 'retried':
      return json(result.deadLetter);
    case 'resolved':
      return problem('DEAD_LETTER_STATE', { detail: `It is resolved: ${result.resolution}.` });
    case 'not_retryable':
      return problem('DEAD_LETTER_STATE', { detail: `It can't be retried: ${result.why}.` });
    case 'not_found':
      return problem('DEAD_LETTER_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
