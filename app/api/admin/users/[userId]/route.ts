import { authorize } from '@/lib/account/authorize';
import { answerUser } from '@/lib/desk/users/answer-user';
import { editUser, editUserSchema } from '@/lib/desk/users/edit-user';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const PATCH = route<{ userId: string }>(async (request, { userId }) => {
  const auth = await authorize(request, 'manageUsers');
  if (!auth.ok) return auth.response;
  const body = await readJson(request, editUserSchema);
  return body.ok ? answerUser(await editUser(auth.user, userId, body.data)) : body.response;
});

export const { GET, HEAD, POST, PUT, DELETE, OPTIONS } = otherMethods('PATCH');
