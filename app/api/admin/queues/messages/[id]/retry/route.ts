import { authorize } from '@/lib/account/authorize';
import { retryMessage } from '@/lib/desk/queues/retry-message';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'desk');
  if (!auth.ok) return auth.response;
  const { status } = await retryMessage(auth.user, id);
  switch (status) {
    case 'due':
      return json({ id, status }, { status: 202 });
    case 'not_waiting':
      return problem('MESSAGE_STATE');
    case 'not_found':
      return problem('MESSAGE_NOT_FOUND');
  }
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
