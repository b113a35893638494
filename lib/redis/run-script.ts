import 'server-only';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'ioredis';
import { processWide } from '@/lib/process-wide';
import type { RedisConnection } from './connection';

/**
 * Names of the files in `lib/redis/scripts` without `.lua`. They end with the number of keys; `n` stands for any number,
 * `3-n` for three and any number more.
 */
export const SCRIPT_NAMES = [
  'purchase-3-n',
  'enqueue-3-n',
  'decide-queue-5',
  'put-purchase-3',
  'confirm-2',
  'release-5',
  'reacquire-3',
  'take-back-5',
  'restock-1',
  'give-parcel-1',
  'take-parcel-1',
  'end-parcel-1',
  'put-allowance-1',
  'trim-allowance-3',
  'probe-1',
  'load-3-n',
  'configure-1',
  'close-1',
  'move-window-2',
  'join-waitlist-4',
  'leave-waitlist-3',
  'enlist-4',
  'serve-waitlist-5',
  'reserve-3',
  'cancel-reservation-3',
  'put-reservation-2',
  'lease-part-3',
  'renew-part-3',
  'release-part-2',
  'issue-fence-2',
  'put-cached-2',
  'publish-list-3',
  'forget-cached-2',
  'count-events-1',
  'count-member-1',
  'limit-n',
  'claim-tries-n',
  'settle-tries-n',
] as const;

export type ScriptName = (typeof SCRIPT_NAMES)[number];

type LoadedScript = { lua: string; sha: string; keyCount: number; hasMoreKeys: boolean };

const loaded = processWide('scripts', () => new Map<ScriptName, LoadedScript>());

/**
 * A line `--@include NAME` stands for `parts/NAME.lua`: functions that several scripts share. A call makes them anew, which
 * takes 25 ns for each, and 45 for each local of the script that one uses. So seldom needed ones are included within an `if`.
 */
const INCLUDE = /^--@include ([a-z-]+)$/gm;

/** Returns the whole text of a script or a part, as Redis gets it. It holds each part once, where it is first included. */
export function readScript(name: ScriptName | `parts/${string}`, included = new Set<string>()): string {
  // Read by path at run time: the bundler leaves .lua files alone. Every process of the product runs in the
  // repository's root.
  const lua = readFileSync(join(process.cwd(), 'lib/redis/scripts', `${name}.lua`), 'utf8');
  return lua.replace(INCLUDE, (_, part: string) => {
    if (included.has(part)) return '';
    included.add(part);
    return readScript(`parts/${part}`, included);
  });
}

function load(name: ScriptName): LoadedScript {
  const known = loaded.get(name);
  if (known) return known;
  const lua = readScript(name);
  const [, count, more] = /-(\d+)?(-?n)?$/.exec(name) ?? [];
  const script = { lua, sha: sha1(lua), keyCount: Number(count ?? 0), hasMoreKeys: more !== undefined };
  loaded.set(name, script);
  return script;
}

/**
 * Reads all scripts. Every process does so when it starts: later its folder may hold another release, whose scripts take other
 * arguments. A crowd's connections may also use up the files that a process may open; then no script can be read, and every
 * purchase fails.
 */
export function loadScripts(): void {
  for (const name of SCRIPT_NAMES) load(name);
}

/** Returns the hash by which a server knows a script of ours. */
export const shaOf = (name: ScriptName): string => load(name).sha;

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex');

/**
 * Runs one of our Lua scripts by its hash. A Redis that doesn't know it (restarted, failed over, `SCRIPT FLUSH`) does
 * nothing, answers NOSCRIPT, and gets the text. We use plain commands, not ioredis' `defineCommand`: names and key counts
 * are checked, and no connection has to register anything.
 *
 * @param keys built by `keys.ts`; as many as the name says.
 * @returns the words of the reply. Every script of ours answers one line, a status and its values: text takes Redis
 *   0.7 µs less than a list. Throw on a status you don't know.
 * @throws the script's own error replies, and ioredis' connection errors.
 */
export async function runScript(
  redis: RedisConnection,
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<string[]> {
  const reply = await call(name, keys, args, (command, script, ...rest) => redis[command](script, ...rest));
  return reply.split(' ');
}

/**
 * Runs a script at once and returns the whole reply, for callers that gather their questions themselves. With
 * auto-pipelining the command would wait for the answer to the pipeline before it; since Redis syncs its file each time,
 * that is most of the time of a purchase.
 * @param beforeFirst runs first where the server does not know the script: it is new, or was restarted. If it throws,
 *   nothing runs and the server stays without the script.
 */
export async function runScriptAtOnce(
  redis: RedisConnection,
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
  beforeFirst?: () => Promise<void>,
): Promise<string> {
  const send: Send = (command, ...words) => {
    const sent = new Command(command, words, { replyEncoding: 'utf8' });
    redis.sendCommand(sent);
    return sent.promise;
  };
  return call(name, keys, args, send, beforeFirst);
}

type Send = (
  command: 'evalsha' | 'eval',
  script: string,
  keyCount: number,
  ...rest: (string | number)[]
) => Promise<unknown>;

async function call(
  name: ScriptName,
  keys: readonly string[],
  args: readonly (string | number)[],
  send: Send,
  beforeFirst?: () => Promise<void>,
): Promise<string> {
  const script = load(name);
  const { keyCount, hasMoreKeys } = script;
  if (hasMoreKeys ? keys.length < keyCount : keys.length !== keyCount) {
    throw new TypeError(`${name} takes ${keyCount} keys, got ${keys.length}`);
  }
  try {
    return text(await send('evalsha', script.sha, keys.length, ...keys, ...args));
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
    await beforeFirst?.();
    return text(await send('eval', script.lua, keys.length, ...keys, ...args));
  }
}

function text(reply: unknown): string {
  if (typeof reply !== 'string') throw new Error(`a script answered ${JSON.stringify(reply)}`);
  return reply;
}
