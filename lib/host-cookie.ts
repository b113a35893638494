import { env } from '@/lib/env';
import { readCookie } from '@/lib/http/read-cookie';

/**
 * Makes the functions for a cookie that no script reads. It is bound to this host, and to HTTPS wherever the shop is served
 * over it.
 */
export function hostCookie(plainName: string) {
  const name = (): string => (env().isHttps ? `__Host-${plainName}` : plainName);
  const set = (value: string, maxAgeSec: number): string =>
    `${name()}=${value}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;
  return {
    name,
    /** Returns its value from a `Cookie` header; empty if there is none. */
    read: (header: string | null): string => readCookie(header, name()) ?? '',
    /** Builds the `Set-Cookie` header that keeps a value for so long. */
    write: (value: string, lifetimeMs: number): string => set(value, lifetimeMs / 1_000),
    /** Builds the `Set-Cookie` header that makes a browser forget it. */
    forget: (): string => set('', 0),
  };
}
