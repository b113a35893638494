import { authorize } from '@/lib/account/authorize';
import { answerUser } from '@/lib/desk/users/answer-user';
import { unbanUser } from '@/lib/desk/users/ban-user';
import { otherMethods } from '@/lib/http/other-methods';
import { route } from '@/lib/http/route';

export const POST = route<{ userId: string }>(async (request, { userId }) => {
  const auth = await authorize(request, 'manageUsers');
  return auth.ok ? answerUser(await unbanUser(auth.user, userId)) : auth.response;
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
