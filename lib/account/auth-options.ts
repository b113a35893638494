import 'server-only';
import type { NextAuthOptions } from 'next-auth';
import CredentialsProvider from 'next-auth/providers/credentials';
import { env } from '@/lib/env';
import { checkCredentials } from './check-credentials';
import { rememberLocale } from './remember-locale';

const SESSION_MAX_AGE_SEC = 7 * 24 * 3600;

/** The session cookie's name; `__Host-` binds it to this host and to HTTPS wherever we are served over HTTPS. */
export const sessionCookieName = (): string =>
  env().publicUrl.startsWith('https://') ? '__Host-next-auth.session-token' : 'next-auth.session-token';

/** NextAuth's settings: credentials, JWT sessions that carry the user's session version. */
export function authOptions(): NextAuthOptions {
  const secure = env().publicUrl.startsWith('https://');
  return {
    secret: env().nextAuthSecret,
    session: { strategy: 'jwt', maxAge: SESSION_MAX_AGE_SEC },
    pages: { signIn: '/signin' },
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: 'lax', path: '/', secure },
      },
    },
    providers: [
      CredentialsProvider({
        credentials: { email: { type: 'email' }, password: { type: 'password' }, locale: {} },
        async authorize(credentials) {
          const user = await checkCredentials(credentials?.email ?? '', credentials?.password ?? '');
          if (!user) return null;
          await rememberLocale(user, credentials?.locale);
          const { id, email, name, role, level, sessionVersion } = user;
          return { id, email, name, role, level, sessionVersion };
        },
      }),
    ],
    callbacks: {
      jwt({ token, user }) {
        if (user)
          Object.assign(token, { sub: user.id, role: user.role, level: user.level, sv: user.sessionVersion });
        return token;
      },
      session({ session, token }) {
        session.user = {
          id: token.sub ?? '',
          name: token.name,
          email: token.email,
          role: token.role,
          level: token.level,
        };
        return session;
      },
    },
  };
}
