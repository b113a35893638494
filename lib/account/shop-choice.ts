import { env } from '@/lib/env';
import { readCookie } from '@/lib/http/read-cookie';

const MAX_AGE_SEC = 31_536_000;
const ID = /^\w{1,64}$/;

/** Bound to this host, and to HTTPS wherever the shop is served over it. */
const cookieName = (): string => (env().isHttps ? '__Host-seckill-shop' : 'seckill-shop');

/**
 * Builds the `Set-Cookie` header with which a browser says in which of a person's shops they work. It proves nothing:
 * every request looks up whether they are in it.
 */
export const writeShopChoice = (shopId: string): string =>
  `${cookieName()}=${shopId}; Path=/; Max-Age=${MAX_AGE_SEC}; HttpOnly; SameSite=Lax${env().isHttps ? '; Secure' : ''}`;

/** Reads the id of the chosen shop from a `Cookie` header; undefined if there is none that could be an id. */
export function readShopChoice(header: string | null): string | undefined {
  const id = readCookie(header, cookieName());
  return id !== undefined && ID.test(id) ? id : undefined;
}
