import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { HEAD_BYTES } from './file-head';
import { seal, unseal } from './seal';

const PASSPHRASE = 'correct horse battery staple';
const CHUNK = 64 * 1024;
const SEALED = CHUNK + 16;

async function* inParts(bytes: Buffer, size = 10_000) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const sealed = (bytes: Buffer) => buffer(seal(inParts(bytes), PASSPHRASE));
const opened = (bytes: Buffer) => buffer(unseal(inParts(bytes), PASSPHRASE));

/** Not a single byte of it is like its neighbours in another chunk. */
const content = Buffer.from(Uint8Array.from({ length: 3 * CHUNK }, (_, at) => (at * 7 + (at >> 16)) % 251));

it.each([0, CHUNK, CHUNK + 1])('[J7] %d bytes come back as they were', async (length) => {
  const bytes = content.subarray(0, length);
  const file = await sealed(bytes);
  expect((await opened(file)).equals(bytes)).toBe(true);
});

it('[J7] chunks that are missing, moved, doubled or of another file are noticed, at the very border of a chunk too', async () => {
  const file = await sealed(content);
  const other = await sealed(content);
  expect(other.equals(file)).toBe(false);
  const head = file.subarray(0, HEAD_BYTES);
  const chunk = (number: number, of = file) =>
    of.subarray(HEAD_BYTES + number * SEALED, HEAD_BYTES + (number + 1) * SEALED);
  const [first, second, third] = [chunk(0), chunk(1), chunk(2)];
  expect(Buffer.concat([head, first, second, third]).equals(file)).toBe(true);
  for (const chunks of [
    [],
    [first],
    [first, second],
    [second, third],
    [second, first, third],
    [first, first, second, third],
    [first, third],
    [first, second, third, third],
    [first, chunk(1, other), third],
  ]) {
    await expect(opened(Buffer.concat([head, ...chunks]))).rejects.toThrow(/damaged or cut off/);
  }
});
