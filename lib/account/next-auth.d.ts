import 'next-auth';
import 'next-auth/jwt';
import type { SessionClaims } from './sessions/session-token';

declare module 'next-auth' {
  /** The user that `authorize` lets in: what the session's cookie says of them. */
  interface User extends SessionClaims {
    id: string;
  }
}
