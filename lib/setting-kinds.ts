import { createPrivateKey } from 'node:crypto';
import { BlockList, isIP } from 'node:net';
import { z } from 'zod';
import { parseRedisUrl } from './redis-address.mjs';

/** The kinds of settings. Each says what it expects, whatever value was given. */

/** Characters. */
export const MIN_SECRET_LENGTH = 32;
const SHARE = 'must be a number from 0 to 1';
const DEFAULT_SECRETS = /^(secret|change-?me|password|default|test|dev)/i;

/** Says what is expected, whatever value was given. */
export const whole = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.coerce.number({ error }).int({ error }).min(from, { error }).max(to, { error });
};
/** Accepts a threshold, or the word `off`, which becomes null. */
export const wholeOrOff = (from: number, to: number) =>
  z.union([z.literal('off').transform(() => null), whole(from, to)], {
    error: `must be off or a whole number from ${from} to ${to}`,
  });
export const port = whole(1, 65_535);
export const share = z.coerce.number({ error: SHARE }).min(0, SHARE).max(1, SHARE);
/** Tells whether a key is short or looks like a default. */
export const isWeakKey = (key: string): boolean =>
  key.length < MIN_SECRET_LENGTH || DEFAULT_SECRETS.test(key);
export const secret = z
  .string()
  .min(MIN_SECRET_LENGTH, `must have at least ${MIN_SECRET_LENGTH} characters`)
  .refine((value) => !DEFAULT_SECRETS.test(value), 'looks like a default; generate a random one');
/** At most two secrets, newest first, separated by a comma: the first signs and seals, both are accepted. */
export const liveSecrets = z
  .string()
  .transform((value) => value.split(',').map((key) => key.trim()))
  .pipe(z.tuple([secret], secret).refine(({ length }) => length <= 2, 'must be one secret or two'));
export const flag = z
  .enum(['0', '1', 'true', 'false', ''], 'must be 0, 1, true or false')
  .transform((value) => value === '1' || value === 'true');
export const url = (...protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    message: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
/** Accepts scheme, host and port alone: a page names such an address in its policy, and browsers compare it exactly. */
export const origin = url('http:', 'https:')
  .refine(
    (value) => !URL.canParse(value) || value.toLowerCase().replace(/\/$/, '') === new URL(value).origin,
    'must be scheme and host alone, like https://buy.example.com',
  )
  .transform((value) => new URL(value).origin);
/** Accepts one server, a cluster or Sentinels, as the start checks do. */
export const redisUrl = z.string().superRefine((value, context) => {
  try {
    parseRedisUrl(value);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
});

/** Accepts a private key on the curve P-256: PKCS #8 in base64url. */
export const p256Key = z.string().refine((value) => {
  try {
    const key = Buffer.from(value, 'base64url');
    const { asymmetricKeyDetails } = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    return asymmetricKeyDetails?.namedCurve === 'prime256v1';
  } catch {
    return false;
  }
}, 'must be an ECDSA P-256 key: PKCS #8 in base64url');

const PRIVATE = new BlockList();
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
])
  PRIVATE.addSubnet(network.split('/')[0] as string, Number(network.split('/')[1]), 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  PRIVATE.addSubnet(network, bits, 'ipv6');

/** Tells whether an address names this machine or a private network. A name that leads there is not looked up. */
export function isPrivateHost(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, '');
  const version = isIP(host);
  if (version === 0) return /(^|\.)(localhost|local|internal)\.?$/i.test(host);
  return PRIVATE.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

const DEFAULT_REDIS_PORT = 6379;
const DEFAULT_POSTGRES_PORT = 5432;
/** Nine servers survive four failures; each one more costs every purchase under the lock time. */
const MAX_LOCK_SERVERS = 9;
/** One server, or an odd number of them: an even one more survives no failure more. */
export const lockServers = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(
    z
      .array(url('redis:', 'rediss:'))
      .max(MAX_LOCK_SERVERS, `must name at most ${MAX_LOCK_SERVERS} servers`)
      .refine((urls) => urls.length % 2 === 1, 'must name one server or an odd number of them')
      .refine(
        (urls) => new Set(urls.map((address) => serverOf(address, DEFAULT_REDIS_PORT))).size === urls.length,
        'must not name a server twice: the servers have to fail independently',
      ),
  );

const MAX_REPLICAS = 9;
export const replicaServers = z
  .string()
  .transform((value) => value.split(',').map((address) => address.trim()))
  .pipe(
    z
      .array(url('postgres:', 'postgresql:'))
      .max(MAX_REPLICAS, `must name at most ${MAX_REPLICAS} servers`)
      .refine(
        (urls) =>
          new Set(urls.map((address) => serverOf(address, DEFAULT_POSTGRES_PORT))).size === urls.length,
        'must not name a server twice',
      ),
  );

/** Names the server of an address that has been checked, whatever user, password or database it is asked for. */
function serverOf(address: string, defaultPort: number): string {
  if (!URL.canParse(address)) return address;
  const { hostname, port } = new URL(address);
  return `${hostname.toLowerCase()}:${port || defaultPort}`;
}
