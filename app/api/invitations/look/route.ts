import { lookAtInvitation, lookSchema } from '@/lib/access/accept-invitation';
import { answerInvitation } from '@/lib/access/answer-invitation';
import { json } from '@/lib/http/json';
import { otherMethods } from '@/lib/http/other-methods';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';
import { requestAddress } from '@/lib/server/client-header';

/** The token is in the body: it stands in no address, so in no log. */
export const POST = route(async (request) => {
  const body = await readJson(request, lookSchema);
  if (!body.ok) return body.response;
  const { headers } = request;
  const found = await lookAtInvitation(body.data.token, { address: requestAddress(headers), headers });
  if (found === null || 'status' in found) return answerInvitation(found ?? { status: 'invalid' });
  const { email, role, expiresAt, hasAccount } = found;
  return json({ email, role, expiresAt, hasAccount });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
