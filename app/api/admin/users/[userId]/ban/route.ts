import { authorize } from '@/lib/account/authorize';
import { answerUser } from '@/lib/desk/users/answer-user';
import { banSchema, banUser } from '@/lib/desk/users/ban-user';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route<{ userId: string }>(async (request, { userId }) => {
  const auth = await authorize(request, 'manageUsers');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, banSchema);
  return body.ok ? answerUser(await banUser(auth.user, userId, body.data.reason)) : body.response;
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
