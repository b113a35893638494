import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readScript, SCRIPT_NAMES } from './run-script';

const FOLDER = join(import.meta.dirname, 'scripts');

/** The verbs that parse a script's replies, by the script's name. */
const PARSERS: Record<(typeof SCRIPT_NAMES)[number], string> = {
  'purchase-3-n': 'lib/stock/parse-purchase-reply.ts',
  'enqueue-3-n': 'lib/stock/parse-purchase-reply.ts',
  'decide-queue-5': 'lib/stock/decide-queue.ts',
  'put-purchase-3': 'lib/stock/purchase-under-lock.ts',
  'confirm-2': 'lib/stock/confirm-stock.ts',
  'release-5': 'lib/stock/release-stock.ts',
  'reacquire-3': 'lib/stock/reacquire-stock.ts',
  'take-back-5': 'lib/stock/take-back-stock.ts',
  'restock-1': 'lib/stock/restock.ts',
  'give-parcel-1': 'lib/stock/give-parcel.ts',
  'take-parcel-1': 'lib/stock/take-parcel.ts',
  'end-parcel-1': 'lib/stock/end-parcel.ts',
  'put-allowance-1': 'lib/stock/put-allowance.ts',
  'trim-allowance-3': 'lib/stock/trim-allowance.ts',
  'probe-1': 'lib/stock/probe-stock.ts',
  'load-3-n': 'lib/stock/load-stock.ts',
  'configure-1': 'lib/stock/configure-stock.ts',
  'close-1': 'lib/stock/close-stock.ts',
  'move-window-2': 'lib/stock/move-window.ts',
  'join-waitlist-4': 'lib/waitlist/records/join-in-redis.ts',
  'leave-waitlist-3': 'lib/waitlist/records/leave-in-redis.ts',
  'enlist-4': 'lib/waitlist/records/enlist-in-redis.ts',
  'serve-waitlist-5': 'lib/waitlist/giving/serve-waitlist.ts',
  'reserve-3': 'lib/reservation/records/reserve-in-redis.ts',
  'cancel-reservation-3': 'lib/reservation/records/cancel-in-redis.ts',
  'put-reservation-2': 'lib/reservation/records/put-reservation.ts',
  'lease-part-3': 'lib/order/records/lease-part.ts',
  'renew-part-3': 'lib/order/records/lease-part.ts',
  'release-part-2': 'lib/order/records/lease-part.ts',
  'issue-fence-2': 'lib/lock/issue-fence.ts',
  'put-cached-2': 'lib/cache/shared-level.ts',
  'forget-cached-2': 'lib/cache/shared-level.ts',
  'publish-list-3': 'lib/sale/records/published-list.ts',
  'count-events-1': 'lib/risk/count-events.ts',
  'count-member-1': 'lib/risk/count-events.ts',
  'limit-n': 'lib/limit/count-attempts.ts',
  'claim-tries-n': 'lib/tries/tries-in-redis.ts',
  'settle-tries-n': 'lib/tries/tries-in-redis.ts',
};

/**
 * Scripts whose keys may expire: holders of worker numbers, cached copies, answers of a queue, and the counts of limits
 * and risk rules.
 */
const EXPIRING: readonly string[] = [
  'lease-part-3',
  'renew-part-3',
  'put-cached-2',
  'purchase-3-n',
  'enqueue-3-n',
  'decide-queue-5',
  'count-events-1',
  'count-member-1',
  'move-window-2',
  'limit-n',
  'claim-tries-n',
  'settle-tries-n',
  'publish-list-3',
];

function read(name: (typeof SCRIPT_NAMES)[number]) {
  const lua = readScript(name);
  const end = lua.indexOf(']]');
  return { header: lua.slice(0, end), code: lua.slice(end + 2) };
}

const unique = (texts: Iterable<string>) => [...new Set(texts)].sort();

function headerReplies(header: string): string[] {
  const block = /\nReplies.*\n([\s\S]*?)(?:\nErrors|\n*$)/.exec(header)?.[1] ?? '';
  return unique([...block.matchAll(/^ {2}([a-z_]+)/gm)].map((match) => match[1] ?? ''));
}

describe('every script', () => {
  it('is in the list, and the list has no others', () => {
    const files = readdirSync(FOLDER)
      .filter((file) => file.endsWith('.lua'))
      .map((file) => file.replace(/\.lua$/, ''));
    expect(files.sort()).toEqual([...SCRIPT_NAMES].sort());
  });

  it.each(SCRIPT_NAMES)('%s has as many keys as its name says, in header and code', (name) => {
    const { header, code } = read(name);
    const [, count = '0', more] = /-(\d+)?(-?n)?$/.exec(name) ?? [];
    // As many as the caller has: of those only the first is named.
    const length = Number(count) + (more ? 1 : 0);
    const expected = Array.from({ length }, (_, i) => String(i + 1));
    expect(unique([...header.matchAll(/^KEYS\[(\d)…?\]/gm)].map((match) => match[1] ?? ''))).toEqual(
      expected,
    );
    const used = unique(
      [...code.matchAll(/KEYS\[(\d)\]|unpack\(KEYS, (\d)\)/g)].map(
        ([, single, from]) => single ?? from ?? '',
      ),
    );
    expect(used).toEqual(expected);
  });

  it.each(SCRIPT_NAMES)('%s uses the arguments its header names', (name) => {
    const { header, code } = read(name);
    const named = unique([...header.matchAll(/^ARGV\[(\d+)/gm)].map((match) => match[1] ?? ''));
    // `at` is where a group that may repeat begins: at the second argument the first time.
    const used = unique(
      [...code.matchAll(/ARGV\[(\d+)\]|unpack\(ARGV, (\d+)\)|ARGV\[at(?: \+ (\d+))?\]/g)].map(
        ([, single, from, offset = '0']) => single ?? from ?? String(2 + Number(offset)),
      ),
    );
    expect(used).toEqual(named);
  });

  it.each(SCRIPT_NAMES)('%s answers what its header says, and its verb knows each answer', (name) => {
    const { header, code } = read(name);
    const replies = unique(
      [...code.matchAll(/(?:return|and|or) (?:table\.concat\(\{)?'([a-z_]+)[ ']/g)].map(
        (match) => match[1] ?? '',
      ),
    );
    expect(replies.length).toBeGreaterThan(0);
    expect(headerReplies(header)).toEqual(replies);
    const verb = readFileSync(join(import.meta.dirname, '../..', PARSERS[name]), 'utf8');
    expect(replies.filter((reply) => !verb.includes(`'${reply}'`))).toEqual([]);
  });

  it.each(SCRIPT_NAMES)('%s is under 120 lines', (name) => {
    const lua = readFileSync(join(FOLDER, `${name}.lua`), 'utf8');
    expect(lua.split('\n').length).toBeLessThan(120);
  });

  it.each(SCRIPT_NAMES)('[B7] %s sets no expiry except on a worker lease or a cached copy', (name) => {
    const { code } = read(name);
    const expiring = /'(P?EXPIRE(AT)?|SETEX|PSETEX|GETEX|HP?EXPIRE)'|'(EX|PX|EXAT|PXAT)'/.test(code);
    expect(expiring).toBe(EXPIRING.includes(name));
  });
});

const PARTS = readdirSync(join(FOLDER, 'parts')).map((file) => file.replace(/\.lua$/, ''));

/** The names that a part may use besides its own functions, constants and arguments. */
const LIBRARY =
  'redis string math table cmsgpack tonumber type ipairs pairs unpack ' +
  'and break do else elseif end false for function if in local nil not or return then true while';

/** Returns the names in Lua code that it does not declare itself. */
function foreignNames(lua: string): string[] {
  const code = lua.replace(/--.*$/gm, '').replace(/'[^']*'/g, '0');
  const known = new Set(LIBRARY.split(' '));
  const declared = /local function \w+\([^)]*|function\([^)]*|local [\w, ]+|for [\w, ]+ (?:in|=)/g;
  for (const [declaration] of code.matchAll(declared))
    for (const name of declaration.split(/\W+/)) known.add(name);
  const used = [...code.matchAll(/(?<![\w.:])[A-Za-z_]\w*/g)];
  const isKey = (at: number) => /[{,]\s*$/.test(code.slice(0, at)) && /^\w+ = /.test(code.slice(at));
  return unique(used.filter(({ 0: name, index }) => !known.has(name) && !isKey(index)).map(([name]) => name));
}

describe('every part', () => {
  const sources = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lua'))
    .map((file) => ({ file, lua: readFileSync(join(FOLDER, file), 'utf8') }));
  const filesWith = (text: string) => sources.filter(({ lua }) => lua.includes(text)).map(({ file }) => file);

  it.each(PARTS)('%s is included', (name) => {
    expect(filesWith(`--@include ${name}\n`)).not.toEqual([]);
  });

  it.each(PARTS)('%s holds whole functions, each with a comment, and constants', (name) => {
    const lines = readFileSync(join(FOLDER, 'parts', `${name}.lua`), 'utf8').split('\n');
    const outer = lines.filter((line) => /^\S/.test(line));
    expect(
      outer.filter((line) => !/^(?:--|end$|local function \w+\(|local [A-Z_, ]+ = )/.test(line)),
    ).toEqual([]);
    const isFunction = (line: string | undefined) => line?.startsWith('local function ');
    expect(lines.some(isFunction)).toBe(true);
    expect(lines.filter((line, at) => isFunction(line) && !/^-- /.test(lines[at - 1] ?? ''))).toEqual([]);
  });

  it.each(PARTS)('%s can be read alone: its functions know their arguments only', (name) => {
    expect(foreignNames(readScript(`parts/${name}`))).toEqual([]);
  });

  it('is in a script once, though other parts include it, too', () => {
    for (const name of SCRIPT_NAMES) {
      const functions = [...readScript(name).matchAll(/local function (\w+)/g)].map(([, its]) => its);
      expect(functions, name).toEqual([...new Set(functions)]);
    }
  });

  it("alone knows the form of what it reads and writes: a purchase in its buyer's record, and its message", () => {
    expect(filesWith('[hsr]')).toEqual(['parts/buyer-record.lua', 'parts/order-in-record.lua']);
    expect(filesWith("',h'")).toEqual([]);
    expect(filesWith("'acceptedAt'")).toEqual(['parts/write-purchase.lua']);
    expect(filesWith(' >= 20')).toEqual(['parts/buyer-record.lua']);
  });
});
