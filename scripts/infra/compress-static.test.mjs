import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBodyEncoder } from '../../lib/server/encode-body';
import { brotliMadeIn } from '../../lib/server/made-brotli';
import { compressStatic } from './compress-static.mjs';

const code = 'export const words = "one two three";\n'.repeat(200);
let dist;

beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'seckill-static-'));
  mkdirSync(join(dist, 'static', 'chunks'), { recursive: true });
  writeFileSync(join(dist, 'static', 'chunks', 'a.js'), code);
  writeFileSync(join(dist, 'static', 'photo.png'), code);
});
afterEach(() => rmSync(dist, { recursive: true, force: true }));

it('[A2] the server sends what the build compressed, and compresses everything else itself', async () => {
  await compressStatic(dist);
  const [name, ...others] = readdirSync(join(dist, 'seckill-brotli'));
  expect(others).toEqual([]);
  const marked = Buffer.from('made while building');
  writeFileSync(join(dist, 'seckill-brotli', name), marked);

  const encode = createBodyEncoder(9, brotliMadeIn(dist));
  expect((await encode(Buffer.from(code), 'application/javascript')).encodings.br).toEqual(marked);
  const other = await encode(Buffer.from(`${code} `), 'application/javascript');
  expect(brotliDecompressSync(other.encodings.br).toString()).toBe(`${code} `);
});

it('[A2] another build leaves nothing of the one before', async () => {
  await compressStatic(dist);
  const before = readdirSync(join(dist, 'seckill-brotli'));
  writeFileSync(join(dist, 'static', 'chunks', 'a.js'), `${code}//`);
  await compressStatic(dist);
  const after = readdirSync(join(dist, 'seckill-brotli'));
  expect(after).toHaveLength(1);
  expect(after).not.toEqual(before);
});
