import { createCipheriv, createDecipheriv } from 'node:crypto';
import { Problem } from '../infra/problem.mjs';
import { createHead, HEAD_BYTES, openHead } from './file-head';
import { inPieces, type Piece } from './in-pieces';

/** How much is encrypted at a time: a reader uses no byte before the code of its chunk is right. */
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 12;

/**
 * Encrypts a stream with AES-256-GCM in chunks. A chunk's nonce holds its number and whether it is the last one, so
 * chunks that are missing, moved or put in, and a missing end, are noticed: the STREAM construction of Hoang,
 * Reyhanitabar, Rogaway and Vizár, "Online Authenticated-Encryption and its Nonce-Reuse Misuse-Resistance" (2015).
 */
export async function* seal(plain: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const { head, key } = await createHead(passphrase);
  yield head;
  let number = 0;
  for await (const piece of inPieces(plain, CHUNK_BYTES)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, piece));
    yield Buffer.concat([cipher.update(piece.bytes), cipher.final(), cipher.getAuthTag()]);
    number += 1;
  }
}

/**
 * Decrypts what `seal` made.
 * @throws Problem if it is no backup, the passphrase is wrong, or anything was changed or is missing.
 */
export async function* unseal(sealed: AsyncIterable<Buffer>, passphrase: string): AsyncGenerator<Buffer> {
  const source = sealed[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const { value, done } = await source.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const key = await openHead(head.subarray(0, HEAD_BYTES), passphrase);
  const rest = head.subarray(HEAD_BYTES);
  async function* body() {
    yield rest;
    yield* { [Symbol.asyncIterator]: () => source };
  }
  let number = 0;
  for await (const piece of inPieces(body(), CHUNK_BYTES + TAG_BYTES)) {
    yield open(key, number, piece);
    number += 1;
  }
}

function open(key: Buffer, number: number, piece: Piece): Buffer {
  const end = piece.bytes.length - TAG_BYTES;
  if (end < 0) throw torn(number);
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, piece));
  decipher.setAuthTag(piece.bytes.subarray(end));
  try {
    return Buffer.concat([decipher.update(piece.bytes.subarray(0, end)), decipher.final()]);
  } catch {
    throw torn(number);
  }
}

const torn = (number: number): Problem =>
  new Problem(
    `The backup is damaged or cut off (after ${number * CHUNK_BYTES} bytes of its content), so nothing is restored: take another copy of the file.`,
  );

function nonceOf(number: number, { isLast }: Piece): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeBigUInt64BE(BigInt(number), 3);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}
