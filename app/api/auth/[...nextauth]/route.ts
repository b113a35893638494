import NextAuth from 'next-auth';
import { authOptions } from '@/lib/account/auth-options';
import { otherMethods } from '@/lib/http/other-methods';

type Context = { params: Promise<{ nextauth: string[] }> };

const handler = (request: Request, context: Context) =>
  NextAuth(request as never, context as never, authOptions());

export { handler as GET, handler as POST };

export const { PUT, PATCH, DELETE, OPTIONS } = otherMethods('GET', 'POST');
