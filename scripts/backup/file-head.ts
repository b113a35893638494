import { createHmac, randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Problem } from '../infra/problem.mjs';

/**
 * The head of a backup file, in the clear: what it is, its format, how the keys come from the passphrase, and a code by
 * which a wrong passphrase is told from a damaged file.
 *
 *     'seckill backup\n' · format · log2 N · r · p · salt (32) · HMAC-SHA256 of all before it (32)
 */
const FORMAT = 1;

const MAGIC = Buffer.from('seckill backup\n');
const SALT_BYTES = 32;
const CODE_BYTES = 32;
const KEY_BYTES = 32;
export const HEAD_BYTES = MAGIC.length + 4 + SALT_BYTES + CODE_BYTES;

/** 128 MiB and some 0.4 s for each guess; the lowest that OWASP recommends for scrypt. */
const COST = { logN: 17, r: 8, p: 1 };
/** Bounds what a file that somebody made up can make us do. */
const MOST_COST = { logN: 20, r: 16, p: 4 };

/** Makes the head of a new file and its key: no two files share a key, since each has a salt of its own. */
export async function createHead(passphrase: string): Promise<{ head: Buffer; key: Buffer }> {
  const { logN, r, p } = COST;
  const start = Buffer.concat([MAGIC, Buffer.from([FORMAT, logN, r, p]), randomBytes(SALT_BYTES)]);
  const { key, codeKey } = await deriveKeys(passphrase, start);
  return { head: Buffer.concat([start, codeOf(codeKey, start)]), key };
}

/**
 * Reads the head of a file and returns the file's key.
 * @throws Problem if it is no backup, of another format, or the passphrase is another one.
 */
export async function openHead(head: Buffer, passphrase: string): Promise<Buffer> {
  if (!head.subarray(0, MAGIC.length).equals(MAGIC))
    throw new Problem('This is not a backup of Seckill: name a file that npm run backup wrote.');
  const format = head[MAGIC.length];
  if (head.length > MAGIC.length && format !== FORMAT)
    throw new Problem(
      `This backup has format ${format}, and this release reads ${FORMAT}: restore it with the release that wrote it.`,
    );
  const [, logN = 0, r = 0, p = 0] = head.subarray(MAGIC.length);
  const isBounded =
    logN > 0 && logN <= MOST_COST.logN && r > 0 && r <= MOST_COST.r && p > 0 && p <= MOST_COST.p;
  if (head.length < HEAD_BYTES || !isBounded)
    throw new Problem('The head of the backup is damaged or cut off: take another copy of the file.');
  const start = head.subarray(0, HEAD_BYTES - CODE_BYTES);
  const { key, codeKey } = await deriveKeys(passphrase, start);
  if (!timingSafeEqual(codeOf(codeKey, start), head.subarray(HEAD_BYTES - CODE_BYTES, HEAD_BYTES)))
    throw new Problem(
      'The passphrase is not the one this backup was made with (or the first bytes of the file are damaged): try the right one.',
    );
  return key;
}

const codeOf = (codeKey: Buffer, start: Buffer): Buffer =>
  createHmac('sha256', codeKey).update(start).digest();

function deriveKeys(passphrase: string, start: Buffer): Promise<{ key: Buffer; codeKey: Buffer }> {
  const [, logN = 0, r = 0, p = 0] = start.subarray(MAGIC.length);
  const cost = { N: 2 ** logN, r, p, maxmem: 2 * 128 * r * 2 ** logN };
  return new Promise((done, fail) => {
    scrypt(passphrase.normalize('NFC'), start.subarray(-SALT_BYTES), 2 * KEY_BYTES, cost, (error, both) => {
      if (error) fail(error);
      else done({ key: both.subarray(0, KEY_BYTES), codeKey: both.subarray(KEY_BYTES) });
    });
  });
}
