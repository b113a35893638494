import { register, registerSchema } from '@/lib/account/register';
import { sendVerification } from '@/lib/access/send-verification';
import { json } from '@/lib/http/json';
import { log } from '@/lib/http/log';
import { otherMethods } from '@/lib/http/other-methods';
import { problem } from '@/lib/http/problem';
import { readJson } from '@/lib/http/read-json';
import { route } from '@/lib/http/route';

export const POST = route(async (request) => {
  const body = await readJson(request, registerSchema);
  if (!body.ok) return body.response;
  const result = await register(body.data);
  if (result.status === 'email_taken') return problem('EMAIL_TAKEN');
  const { userId } = result;
  const { email, locale } = body.data;
  // The account is there whatever becomes of the mail, which can be asked for again.
  sendVerification({ userId, email, locale }).catch((err: unknown) =>
    log.warn({ userId, err }, 'the mail to verify an address was not sent'),
  );
  return json({ userId }, { status: 201 });
});

export const { GET, HEAD, PUT, PATCH, DELETE, OPTIONS } = otherMethods('POST');
