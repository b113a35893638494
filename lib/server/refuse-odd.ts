import type { IncomingMessage } from 'node:http';
import { problemReply } from '@/lib/http/problem';
import type { Reply } from '@/lib/http/reply';
import { isServedMethod, SERVED_METHODS } from './served-methods';

const API = /^\/api(?:[/?]|$)/;
/** Matches an interface's address with a slash at its end or a backslash, which Next takes for a slash. */
const API_SLASH = /^\/api\/(?:[^?]*[/\\])?(?:\?|$)|^\/api\/[^?]*\\/;
/** The methods of everything outside the interface: pages, their files, health checks. */
const PAGE_METHODS = 'GET, HEAD, OPTIONS';

/**
 * Answers requests that Next would answer with a bare error, or with a page although the client asked for none: 405
 * for methods, 204 for OPTIONS, 400 for an address that cannot be decoded, 404 for a slash at an interface's end. Null: the
 * server answers the request.
 */
export function refuseOdd(method: string | undefined, target: string): Reply | null {
  if (!isServedMethod(method)) return refuseMethod(SERVED_METHODS.join(', '));
  if (target === '*' && method === 'OPTIONS') return tellMethods(SERVED_METHODS.join(', '));
  if (!target.startsWith('/')) return problemReply('MALFORMED', { detail: 'This is no address of ours.' });
  if (!isDecodable(target))
    return problemReply('MALFORMED', { detail: 'The address is not percent-encoded UTF-8.' });
  // Next would redirect, also what is no question: programs don't follow that, or forget their body.
  if (API_SLASH.test(target))
    return problemReply('NOT_FOUND', { detail: 'The address ends with a slash, or has a backslash in it.' });
  if (method === 'GET' || method === 'HEAD' || API.test(target)) return null;
  return method === 'OPTIONS' ? tellMethods(PAGE_METHODS) : refuseMethod(PAGE_METHODS);
}

/**
 * Refuses a request that names several hosts, which different readers could understand differently, or none (RFC
 * 9112, 3.2). Only HTTP/1.0 may name none.
 */
export function refuseHosts({ rawHeaders, httpVersion }: IncomingMessage): Reply | null {
  const isHost = (name: string, at: number) => at % 2 === 0 && name.length === 4 && /^host$/i.test(name);
  const count = rawHeaders.filter(isHost).length;
  if (count === 1 || (count === 0 && httpVersion === '1.0')) return null;
  const detail = count === 0 ? 'The request names no host.' : 'The request names two hosts.';
  return problemReply('MALFORMED', { detail });
}

const refuseMethod = (allow: string) => problemReply('METHOD_NOT_ALLOWED', { headers: { allow } });
const tellMethods = (allow: string): Reply => ({ status: 204, headers: { allow }, body: '' });

/** Checks only the path: all handlers read a query leniently. */
function isDecodable(target: string): boolean {
  const path = target.split('?', 1)[0] as string;
  if (!path.includes('%')) return true;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
