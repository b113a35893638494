import NextAuth from 'next-auth';
import { authOptions } from '@/lib/account/auth-options';
import { identifyDevice } from '@/lib/device/identify-device';
import { otherMethods } from '@/lib/http/other-methods';

type Context = { params: Promise<{ nextauth: string[] }> };

const handler = (request: Request, context: Context): Promise<Response> =>
  NextAuth(request as never, context as never, authOptions());

/** Signing in also makes the device known, so that it is by the time of entry. */
const signIn = async (request: Request, context: Context): Promise<Response> => {
  const response = await handler(request, context);
  const { nextauth } = await context.params;
  const { setCookie } = identifyDevice(request.headers);
  if (nextauth[0] !== 'callback' || !response.ok || !setCookie) return response;
  const known = new Response(response.body, response);
  known.headers.append('set-cookie', setCookie);
  return known;
};

export { handler as GET, signIn as POST };

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
