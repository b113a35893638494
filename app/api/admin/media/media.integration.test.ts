import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/media/[hash]/[file]/route';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import type { Media } from '@/lib/contract/shapes/media';
import {
  MAX_PICTURE_BYTES,
  MAX_PICTURE_PIXELS,
  MAX_PICTURES_A_DAY,
  PICTURE_FILES,
  PICTURE_WIDTHS,
} from '@/lib/contract/words/media';
import { closeDb, db } from '@/lib/db/client';
import { decodeInTurn, MAX_UPLOADS, MAX_UPLOADS_OF_USER } from '@/lib/media/decode-in-turn';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeMember } from '@/test/support/make-member';
import { makeUser } from '@/test/support/make-sale';
import { POST } from './route';

let folder = '';
let merchantId = '';
let session = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'seckill-media-'));
  vi.stubEnv('MEDIA_DIR', folder);
  merchantId = (await makeUser('merchant')).userId;
  session = await sessionOf(merchantId);
});
afterAll(async () => {
  await Promise.all([closeRedis(), closeDb()]);
  await rm(folder, { recursive: true, maxRetries: 5 });
});

/** Sends a file with this session; `null` signed out. */
const upload = (body: BodyInit | null, as: string | null = session, headers = {}, search = '') =>
  POST(
    new Request(`http://shop.test/api/admin/media${search}`, {
      method: 'POST',
      headers: {
        'sec-fetch-site': 'same-origin',
        'content-type': 'image/png',
        ...(as === null ? {} : { cookie: `${sessionCookieName()}=${as}` }),
        ...headers,
      },
      body,
    }),
    { params: Promise.resolve({}) },
  );
const codeOf = async (answer: Response) => [answer.status, ((await answer.json()) as { code: string }).code];
const read = (hash: string, file: string) => callWith(null, GET, { params: { hash, file } });
const readBytes = async (hash: string, file: string) =>
  Buffer.from(await (await read(hash, file)).arrayBuffer());

let shade = 0;
/** Each picture is another one. */
const picture = (width = 40, height = 30) => {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 10 } } });
};
const bytesOf = async (made: { toBuffer: () => Promise<Buffer> }) => new Uint8Array(await made.toBuffer());
const store = async (bytes: Uint8Array<ArrayBuffer>) => {
  const answer = await upload(bytes);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Media;
};

describe('an upload', () => {
  it('[O1] comes out upright, in every width and format, without where it was taken, never enlarged', async () => {
    const exif = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } };
    const made = picture(900, 600).withExif(exif).withMetadata({ orientation: 6 }).jpeg();
    const bytes = await bytesOf(made);
    expect((await sharp(bytes).metadata()).orientation).toBe(6);
    const { hash, url } = await store(bytes);
    expect(url).toBe(`/media/${hash}/640.webp`);
    for (const wanted of PICTURE_WIDTHS)
      for (const format of ['webp', 'avif']) {
        const answer = await read(hash, `${wanted}.${format}`);
        const file = await sharp(new Uint8Array(await answer.arrayBuffer())).metadata();
        const width = Math.min(wanted, 600);
        expect([file.width, file.height, file.exif, file.orientation]).toEqual([
          width,
          width * 1.5,
          undefined,
          undefined,
        ]);
        expect(Object.fromEntries(answer.headers)).toMatchObject({
          'content-type': `image/${format}`,
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'cross-origin-resource-policy': 'cross-origin',
        });
      }
  });

  it.each(['png', 'webp', 'avif'] as const)('[O1] may be %s, whatever its type says', async (format) => {
    const { hash } = await store(await bytesOf(picture().toFormat(format)));
    expect((await sharp(await readBytes(hash, '320.webp')).metadata()).width).toBe(40);
  });

  it('[O1] loses what hangs on a polyglot, and every picture of an animation but the first', async () => {
    const script = '<script>alert(document.cookie)</script>';
    const jpeg = await bytesOf(picture(400, 300).jpeg());
    const both = await store(new Uint8Array(Buffer.concat([jpeg, Buffer.from(script)])));
    const frames = await Promise.all([picture(), picture()].map((each) => each.png().toBuffer()));
    const moving = await store(await bytesOf(sharp(frames, { join: { animated: true } }).webp()));
    for (const { hash } of [both, moving])
      for (const file of PICTURE_FILES) {
        const bytes = await readBytes(hash, file);
        expect(bytes.includes('script')).toBe(false);
        expect((await sharp(bytes).metadata()).pages ?? 1).toBe(1);
      }
  });

  it('[O1] is refused by its content: scripts, other formats, half files, nothing', async () => {
    const jpeg = await bytesOf(picture(400, 300).jpeg());
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const gif = await bytesOf(picture().gif());
    const pngHead = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const wrong = [svg, gif, jpeg.slice(0, jpeg.length >> 1), pngHead, '', '<html>', null];
    const before = await readdir(folder);
    for (const body of wrong) expect(await codeOf(await upload(body))).toEqual([422, 'MEDIA_NOT_A_PICTURE']);
    expect(await readdir(folder)).toEqual(before);
  });

  it('[O1] is refused when it is too large or has too many pixels, before any is decoded', async () => {
    const bomb = await bytesOf(
      sharp({ create: { width: 8_000, height: 5_000, channels: 3, background: 'red' } }).png(),
    );
    expect(8_000 * 5_000).toBeGreaterThan(MAX_PICTURE_PIXELS);
    expect(bomb.byteLength).toBeLessThan(MAX_PICTURE_BYTES / 10);
    expect(await codeOf(await upload(bomb))).toEqual([422, 'MEDIA_TOO_MANY_PIXELS']);
    expect(await codeOf(await upload(new Uint8Array(MAX_PICTURE_BYTES + 1)))).toEqual([413, 'TOO_LARGE']);
  });

  it('[O1] is stored once, also when two send it at once, and again where its files were lost', async () => {
    const bytes = await bytesOf(picture().png());
    const [one, two] = await Promise.all([store(bytes), store(bytes)]);
    expect(one).toEqual(two);
    const other = await sessionOf((await makeUser('merchant')).userId);
    expect(await (await upload(bytes, other)).json()).toEqual(one);
    expect((await readdir(join(folder, one.hash))).sort()).toEqual([...PICTURE_FILES].sort());
    expect(await db().media.findMany({ where: { hash: one.hash } })).toMatchObject([{ merchantId }]);

    await rm(join(folder, one.hash, '640.webp'));
    expect((await read(one.hash, '640.webp')).status).toBe(404);
    expect(await store(bytes)).toEqual(one);
    expect((await read(one.hash, '640.webp')).status).toBe(200);
  });

  it('[O1] is for those who may change products of that shop', async () => {
    const bytes = await bytesOf(picture().png());
    expect(await codeOf(await upload(bytes, null))).toEqual([401, 'UNAUTHENTICATED']);
    const shopper = await sessionOf((await makeUser('shopper')).userId);
    expect(await codeOf(await upload(bytes, shopper))).toEqual([403, 'FORBIDDEN']);
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { 'content-type': 'text/html' }])
      expect(await codeOf(await upload(bytes, session, headers))).toEqual([403, 'CSRF']);
    const other = (await makeUser('merchant')).userId;
    for (const shop of [other, 'no-such-shop', '../../etc'])
      expect(await codeOf(await upload(bytes, session, {}, `?shopId=${encodeURIComponent(shop)}`))).toEqual([
        404,
        'SHOP_NOT_FOUND',
      ]);
    const member = await makeMember(merchantId, 'viewer', ['settings']);
    const viewer = await sessionOf(member.userId);
    expect(await codeOf(await upload(bytes, viewer, {}, `?shopId=${merchantId}`))).toEqual([
      403,
      'FORBIDDEN',
    ]);
  });

  it('[O1] comes again when too many wait, of the user or of all', async () => {
    let done = (_: unknown) => {};
    const held = new Promise((resolve) => {
      done = resolve;
    });
    const bytes = await bytesOf(picture().png());
    const busy = async (as: string) => {
      const answer = await upload(bytes, as);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(await codeOf(answer)).toEqual([503, 'UNAVAILABLE']);
    };
    const own = Array.from({ length: MAX_UPLOADS_OF_USER }, () => decodeInTurn(merchantId, () => held));
    await busy(session);
    const others = ['a', 'b', 'c'].slice(0, MAX_UPLOADS - MAX_UPLOADS_OF_USER);
    const theirs = others.map((user) => decodeInTurn(user, () => held));
    await busy(await sessionOf((await makeUser('merchant')).userId));
    done(null);
    expect(await Promise.all([...own, ...theirs])).toHaveLength(MAX_UPLOADS);
    await store(bytes);
  });

  it('[O1] is refused when the shop has stored its share of the day; what it has is stored for good', async () => {
    const full = (await makeUser('merchant')).userId;
    const data = Array.from({ length: MAX_PICTURES_A_DAY }, (_, nr) => ({
      merchantId: full,
      hash: String(nr).padStart(64, '0'),
    }));
    await db().media.createMany({ data });
    const known = await bytesOf(picture().png());
    await store(known);
    const own = await sessionOf(full);
    const refused = await upload(await bytesOf(picture().png()), own);
    expect(refused.headers.get('ratelimit')).toBe('"picture";r=0;t=3600');
    expect(refused.headers.get('retry-after')).toBe('3600');
    expect(await codeOf(refused)).toEqual([429, 'RATE_LIMITED']);
    expect((await upload(known, own)).status).toBe(200);
  });

  it('[O1] says so when nothing can be stored, and leaves nothing behind', async () => {
    const bytes = await bytesOf(picture().png());
    const before = await db().media.count();
    // A file where the folder would be: as if the volume were gone.
    const place = join(folder, createHash('sha256').update(bytes).digest('hex'));
    await writeFile(place, 'in the way');
    expect(await codeOf(await upload(bytes))).toEqual([503, 'UNAVAILABLE']);
    expect([await db().media.count(), await readFile(place, 'utf8')]).toEqual([before, 'in the way']);
    await rm(place);
    await store(bytes);
  });
});

describe('a file of a picture', () => {
  it('[O1] is found by its exact address alone', async () => {
    const { hash } = await store(await bytesOf(picture().png()));
    expect((await read(hash, '320.webp')).status).toBe(200);
    const wrong = [
      [hash, '321.webp'],
      [hash, '320.png'],
      [hash, ''],
      [hash, '../../package.json'],
      [hash, '320.webp\0'],
      [hash.toUpperCase(), '320.webp'],
      ['..', '320.webp'],
      [`../${hash}`, '320.webp'],
      ['0'.repeat(64), '320.webp'],
    ] as const;
    for (const [name, file] of wrong) {
      const answer = await read(name, file);
      expect([answer.status, answer.headers.get('cache-control')], `${name}/${file}`).toEqual([
        404,
        'no-store',
      ]);
    }
  });
});
