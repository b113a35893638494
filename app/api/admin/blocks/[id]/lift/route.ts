import { authorize } from '@/lib/account/authorize';
import { liftDeskBlock } from '@/lib/desk/blocks/lift-desk-block';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { route } from '@/lib/http/route';

export const POST = route<{ id: string }>(async (request, { id }) => {
  const auth = await authorize(request, 'operator');
  if (!auth.ok) return auth.response;
  const block = await liftDeskBlock(auth.user, id);
  return block ? json(block) : problem('BLOCK_NOT_FOUND');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
