import 'server-only';
import { type LookupAddress, lookup } from 'node:dns';
import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isPrivateHost, isPrivateIp } from '@/lib/settings/kinds';
import { MessageRefused } from './message-refused';
import type { Send } from './post-webhook';

const TIMEOUT_MS = 3_000;
const MAX_HEADER_BYTES = 8_192;

/** Finds all IP addresses of a name, as `dns.lookup` does with `all`. */
export type Resolve = (
  hostname: string,
  options: { all: true; family?: number | 'IPv4' | 'IPv6' | undefined },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

type Options = {
  /** Also posts to private addresses, and over plain http. */
  allowsPrivate: boolean;
  timeoutMs?: number;
  resolve?: Resolve;
};

/**
 * Makes a `Send` for addresses that users name. It asks no address of this machine or a private network, whatever the
 * name was said to lead to before: the connection is made to the very addresses that were checked. It follows no
 * redirect, keeps no connection, reads no body, and waits 3 s at most. (OWASP, "Server-Side Request Forgery Prevention")
 * @returns throws MessageRefused where it must not ask
 */
export function guardedSend({
  allowsPrivate,
  timeoutMs = TIMEOUT_MS,
  resolve = lookup as Resolve,
}: Options): Send {
  const look = guardedLookup(resolve);
  return (url, headers, body) => {
    const { protocol } = new URL(url);
    if (!allowsPrivate) {
      // Node looks up no IP address, so `look` never sees one.
      if (isPrivateHost(url)) return Promise.reject(new MessageRefused('the address is private'));
      if (protocol !== 'https:') return Promise.reject(new MessageRefused('the address is not https'));
    }
    return new Promise((settle, fail) => {
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: false,
        maxHeaderSize: MAX_HEADER_BYTES,
        signal: AbortSignal.timeout(timeoutMs),
        ...(allowsPrivate ? {} : { lookup: look }),
      });
      request.on('response', (response) => {
        settle(response.statusCode ?? 0);
        response.destroy();
      });
      request.on('error', fail);
      request.end(body);
    });
  };
}

const guardedLookup =
  (resolve: Resolve): LookupFunction =>
  (hostname, options, callback) =>
    resolve(hostname, { family: options.family, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) callback(error ?? new Error(`${hostname} has no address`), '', 0);
      else if (addresses.some(({ address }) => isPrivateIp(address)))
        callback(new MessageRefused(`${hostname} leads to a private address`), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
