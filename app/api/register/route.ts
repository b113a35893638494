import { register, registerSchema } from '@/lib/account/register';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route(async (request) => {
  const body = await readJson(request, registerSchema);
  if (!body.ok) return body.response;
  const result = await register(body.data);
  return result.status === 'registered'
    ? json({ userId: result.userId }, { status: 201 })
    : problem('EMAIL_TAKEN');
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
