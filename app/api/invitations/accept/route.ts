import { acceptInvitation, acceptSchema } from '@/lib/access/accept-invitation';
import { answerInvitation } from '@/lib/access/answer-invitation';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

export const POST = route(async (request) => {
  const body = await readJson(request, acceptSchema);
  if (!body.ok) return body.response;
  const { headers } = request;
  return answerInvitation(await acceptInvitation(body.data, { address: requestAddress(headers), headers }));
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
