import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Limit of each file. A cut holds only the writes of a few moments. */
const MOST_BYTES = 64 * 1024 * 1024;
const COMMAND = /\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n\$\d+\r\n([^\r\n]{1,200})\r\n/g;
const PURCHASE =
  /\r\norderNo\r\n\$\d+\r\n(\d{1,19})\r\n\$6\r\nuserId\r\n\$\d+\r\n([^\r\n]{1,200})\r\n(?:(?!\*\d+\r\n)[\s\S]){0,300}?\r\nacceptedAt\r\n\$\d+\r\n(\d{1,15})/g;

/** Names the contents of keys by how the keys end. */
const KINDS = [
  [/^sale:[^:]+:outbox$/, 'purchases on their way'],
  [/^sale:[^:]+:queue$/, 'purchases that wait for a decision'],
  [/^sale:[^:]+:buyers$/, 'buyer records'],
  [/^sale:[^:]+:(waitlist|places)$/, 'places on waitlists'],
  [/^sale:[^:]+:(reservations|reserved|unreserved)$/, 'reservations'],
  [/^sale:[^:]+:allowances$/, 'allowances of campaigns'],
  [/^(limit:|sale:[^:]+:limits$)/, 'counts of rate limits'],
  [/^sale:[^:]+$/, 'tiers and settings of sales'],
];
const kindOf = (key) => KINDS.find(([ends]) => ends.test(key.replace(/[{}]/g, '')))?.[1] ?? 'other keys';

/**
 * Reads what was cut off damaged append-only files, as far as it can still be read: the purchases in it by their numbers,
 * everything else as a count of writes by kind. A purchase may have become an order before the damage.
 * @param {string} copy folder of the damaged files
 * @param {string} files folder of the mended ones; a file that is not there was cut off whole
 * @returns {{ bytes: number, from: string | null, to: string | null,
 *   purchases: { orderNo: string, userId: string, acceptedAt: string }[], writes: Record<string, number> }}
 */
export function readCut(copy, files) {
  const purchases = new Map();
  const writes = {};
  let bytes = 0;
  for (const name of readdirSync(copy).filter((one) => one.endsWith('.aof'))) {
    const kept = existsSync(join(files, name)) ? statSync(join(files, name)).size : 0;
    const cut = readFrom(join(copy, name), kept);
    bytes += cut.bytes;
    for (const [, , key] of cut.text.matchAll(COMMAND)) writes[kindOf(key)] = (writes[kindOf(key)] ?? 0) + 1;
    for (const [, orderNo, userId, at] of cut.text.matchAll(PURCHASE))
      purchases.set(orderNo, { orderNo, userId, acceptedAt: new Date(Number(at)).toISOString() });
  }
  const sorted = [...purchases.values()].sort((a, b) => (a.acceptedAt < b.acceptedAt ? -1 : 1));
  const [from, to] = [sorted[0]?.acceptedAt ?? null, sorted.at(-1)?.acceptedAt ?? null];
  return { bytes, from, to, purchases: sorted, writes };
}

/** Reads a file from a byte on; of a long rest the end. */
function readFrom(file, from) {
  const handle = openSync(file, 'r');
  try {
    const bytes = Math.max(0, fstatSync(handle).size - from);
    const buffer = Buffer.alloc(Math.min(bytes, MOST_BYTES));
    const read = readSync(handle, buffer, 0, buffer.length, from + bytes - buffer.length);
    return { bytes, text: buffer.toString('latin1', 0, read) };
  } finally {
    closeSync(handle);
  }
}

const MOST_NAMED = 5;

/** Describes a cut in one line. */
export function describeCut({ bytes, purchases, writes }) {
  const named = purchases.slice(0, MOST_NAMED).map(({ orderNo }) => orderNo);
  const more = purchases.length - named.length;
  const list = named.length > 0 ? ` (${named.join(', ')}${more > 0 ? ` and ${more} more` : ''})` : '';
  const kinds = Object.entries(writes).map(([kind, count]) => `${count} of ${kind}`);
  const said = kinds.length > 0 ? `; its writes: ${kinds.join(', ')}` : '';
  return `${bytes} bytes were cut off with ${purchases.length} accepted purchases${list}${said}`;
}
