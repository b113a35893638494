import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/media/[hash]/[file]/route';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { Media } from '@/lib/contract/shapes/media';
import { PICTURE_FILES } from '@/lib/contract/words/media';
import { closeDb, db } from '@/lib/db/client';
import { pruneMedia } from '@/lib/media/prune-media';
import { bucketEnv, startBucketServer } from '@/lib/media/testing/bucket-server';
import { checkShop } from '@/lib/preflight/check-shop';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { POST } from './route';

let server: Awaited<ReturnType<typeof startBucketServer>>;
let session = '';
beforeAll(async () => {
  server = await startBucketServer();
  for (const [name, value] of Object.entries(bucketEnv(server.bucket))) vi.stubEnv(name, value);
  session = await sessionOf((await makeUser('merchant')).userId);
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  server.close();
});

const upload = (body: Uint8Array<ArrayBuffer>) =>
  POST(
    new Request('http://shop.test/api/admin/media', {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'image/png',
        cookie: `${sessionCookieName()}=${session}`,
      },
      body,
    }),
    { params: Promise.resolve({}) },
  );
const read = (hash: string, file: string) => callWith(null, GET, { params: { hash, file } });
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const namesOf = (hash: string) => [...server.files.keys()].filter((name) => name.startsWith(hash)).sort();

let shade = 0;
/** Each picture is another one. */
async function picture() {
  shade += 1;
  const background = { r: shade, g: 90, b: 10 };
  const made = sharp({ create: { width: 400, height: 300, channels: 3, background } });
  return new Uint8Array(await made.png().toBuffer());
}
async function store(bytes: Uint8Array<ArrayBuffer>) {
  const answer = await upload(bytes);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as Media).hash;
}
const away = (requests: number) => {
  for (let nr = 0; nr < requests; nr += 1) server.faults.push({ status: 403, code: 'AccessDenied' });
};

describe('pictures in a bucket', () => {
  it('[O1] are served as those in a folder are, and lost ones are made again by an upload', async () => {
    const bytes = await picture();
    const hash = await store(bytes);
    expect(namesOf(hash)).toEqual(PICTURE_FILES.map((file) => `${hash}/${file}`).sort());
    const answer = await read(hash, '320.avif');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/avif',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect((await sharp(new Uint8Array(await answer.arrayBuffer())).metadata()).width).toBe(320);
    server.files.delete(`${hash}/640.webp`);
    expect(await codeOf(await read(hash, '640.webp'))).toEqual([404, 'NOT_FOUND']);
    expect(await store(bytes)).toBe(hash);
    expect((await read(hash, '640.webp')).status).toBe(200);
  });

  it('[O1] that is away takes none and gives none, and nothing that it has is lost', async () => {
    const known = await store(await picture());
    const bytes = await picture();
    const before = [await db().media.count(), server.files.size];
    away(1);
    expect(await codeOf(await upload(bytes))).toEqual([503, 'UNAVAILABLE']);
    expect([await db().media.count(), server.files.size]).toEqual(before);
    away(1);
    const answer = await read(known, '320.webp');
    expect([answer.headers.get('cache-control'), ...(await codeOf(answer))]).toEqual([
      'no-store',
      503,
      'UNAVAILABLE',
    ]);
    // A worker that can't remove the files leaves the row, and comes again.
    await db().media.update({ where: { hash: known }, data: { unusedSince: new Date(0) } });
    away(PICTURE_FILES.length);
    await expect(pruneMedia()).rejects.toThrow('AccessDenied');
    expect(await db().media.count({ where: { hash: known } })).toBe(1);
    server.faults.length = 0;
    expect(await pruneMedia()).toBe(1);
    expect(namesOf(known)).toEqual([]);
    await store(bytes);
  });

  it('[N1] are on the list before the shop goes live, which asks the bucket', async () => {
    const check = async () => (await checkShop()).find(({ id }) => id === 'pictures');
    expect(await check()).toMatchObject({ ok: true, found: server.bucket.name });
    expect(namesOf('check')).toEqual([]);
    away(1);
    const refused = await check();
    expect(refused).toMatchObject({ ok: false, severity: 'stop', reason: 'refused' });
    expect(JSON.stringify(refused)).not.toContain(server.bucket.secret);
  });
});
