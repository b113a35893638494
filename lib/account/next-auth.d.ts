import 'next-auth';
import 'next-auth/jwt';

declare module 'next-auth' {
  interface User {
    id: string;
    role: string;
    level: number;
    sessionVersion: number;
  }
  interface Session {
    user: { id: string; name?: string | null; email?: string | null; role: string; level: number };
  }
}

declare module 'next-auth/jwt' {
  interface JWT {
    role: string;
    level: number;
    /** Session version at sign-in. */
    sv: number;
  }
}
