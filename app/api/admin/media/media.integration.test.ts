import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { GET } from '@/app/media/[hash]/[file]/route';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { MAX_A_DAY } from '@/lib/admin/media/upload-media';
import type { Media } from '@/lib/contract/shapes/media';
import { MAX_PICTURE_BYTES, PICTURE_WIDTHS } from '@/lib/contract/words/media';
import { closeDb, db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { MAX_OF_A_SHOP, MAX_WAITING } from '@/lib/media/picture-line';
import { closeRedis } from '@/lib/redis/client';
import { callWith, sessionOf } from '@/test/support/call-as';
import { makeUser } from '@/test/support/make-sale';
import { POST } from './route';

let folder = '';
let session = '';
let merchantId = '';

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
const upload = (body: BodyInit, as: string | null = session, headers = {}, search = '') =>
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
let shade = 0;
/** Each picture is another one. */
const picture = (width = 40, height = 30) => {
  shade += 1;
  return sharp({ create: { width, height, channels: 3, background: { r: shade, g: 90, b: 10 } } });
};
const bytesOf = async (made: { toBuffer: () => Promise<Buffer> }) => new Uint8Array(await made.toBuffer());
const store = async (bytes: Uint8Array<ArrayBuffer>) => {
  const answer = await upload(bytes);
  expect(answer.status).toBe(201);
  return (await answer.json()) as Media;
};

describe('an upload', () => {
  it('[O1] comes out upright, in every width and format, without where it was taken, never enlarged', async () => {
    const exif = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 31/1 0/1' } };
    const made = picture(900, 600).withExif(exif).withMetadata({ orientation: 6 }).jpeg();
    const bytes = await bytesOf(made);
    expect((await sharp(bytes).metadata()).orientation).toBe(6);
    const { hash, width, height, url } = await store(bytes);
    expect([width, height, url]).toEqual([600, 900, `/media/${hash}/640.webp`]);
    for (const wanted of PICTURE_WIDTHS)
      for (const format of ['webp', 'avif']) {
        const answer = await read(hash, `${wanted}.${format}`);
        const file = await sharp(new Uint8Array(await answer.arrayBuffer())).metadata();
        expect([file.width, file.exif, file.orientation]).toEqual([
          Math.min(wanted, 600),
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

  it.each(['png', 'webp', 'avif', 'gif'] as const)(
    '[O1] may be %s, whatever its type says',
    async (format) => {
      expect((await store(await bytesOf(picture().toFormat(format)))).width).toBe(40);
    },
  );

  it('[O1] is refused by its content: scripts, polyglots, half files, nothing', async () => {
    const jpeg = await bytesOf(picture(400, 300).jpeg());
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
    const wrong: BodyInit[] = [svg, 'GIF89a=1;alert(1)//', jpeg.slice(0, jpeg.length >> 1), '', '<html>'];
    for (const body of wrong) expect(await codeOf(await upload(body))).toEqual([422, 'MEDIA_NOT_A_PICTURE']);
    expect(await readdir(join(folder, '.making'))).toEqual([]);
  });

  it('[O1] is refused when it is too large or has too many pixels, before any is decoded', async () => {
    const bomb = await bytesOf(
      sharp({
        create: { width: 20_000, height: 20_000, channels: 3, background: 'red' },
        limitInputPixels: false,
      }).png(),
    );
    expect(bomb.byteLength).toBeLessThan(MAX_PICTURE_BYTES);
    expect(await codeOf(await upload(bomb))).toEqual([422, 'MEDIA_TOO_MANY_PIXELS']);
    expect(await codeOf(await upload(new Uint8Array(11 * 1024 * 1024)))).toEqual([413, 'TOO_LARGE']);
  });

  it('[O1] is stored once, also when two send it at once', async () => {
    const bytes = await bytesOf(picture().png());
    const [one, two] = await Promise.all([store(bytes), store(bytes)]);
    expect(one).toEqual(two);
    expect(await store(bytes)).toEqual(one);
    const other = await sessionOf((await makeUser('merchant')).userId);
    expect(await (await upload(bytes, other)).json()).toEqual(one);
    expect((await readdir(folder)).filter((name) => name === one.hash)).toHaveLength(1);
    expect(await db().media.count({ where: { hash: one.hash } })).toBe(2);
  });

  it('[O1] removes what an upload has left whose process was ended', async () => {
    const [old, young] = ['old', 'young'].map((name) => join(folder, '.making', name)) as [string, string];
    await Promise.all([old, young].map((path) => mkdir(path, { recursive: true })));
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await utimes(old, longAgo, longAgo);
    await store(await bytesOf(picture().png()));
    expect(await readdir(join(folder, '.making'))).toEqual(['young']);
    await rm(young, { recursive: true });
  });

  it('[O1] is for those who may change products of a shop', async () => {
    const bytes = await bytesOf(picture().png());
    expect(await codeOf(await upload(bytes, null))).toEqual([401, 'UNAUTHENTICATED']);
    expect((await upload(bytes, await sessionOf((await makeUser('shopper')).userId))).status).toBe(403);
    expect(await codeOf(await upload(bytes, session, { 'sec-fetch-site': 'cross-site' }))).toEqual([
      403,
      'CSRF',
    ]);
    const [owner, viewer] = [(await makeUser('merchant')).userId, (await makeUser('merchant')).userId];
    await db().shop.create({ data: { id: owner, name: 'Shop' } });
    await db().shopMember.deleteMany({ where: { userId: viewer } });
    await db().shopMember.create({
      data: { shopId: owner, userId: viewer, role: 'viewer', topics: [], addedBy: owner },
    });
    expect(await codeOf(await upload(bytes, await sessionOf(viewer)))).toEqual([403, 'FORBIDDEN']);
  });

  it('[O1] belongs to the shop of the product it is for, in which the other shop’s merchant may do nothing', async () => {
    const [owner, guest] = [(await makeUser('merchant')).userId, (await makeUser('merchant')).userId];
    const { id: productId } = await db().product.create({
      data: {
        id: newId('product'),
        merchantId: owner,
        slug: newId('p').replaceAll('_', '-'),
        name: 'Lamp',
        description: '',
      },
    });
    await db().shopMember.create({
      data: { shopId: owner, userId: guest, role: 'editor', topics: ['settings'], addedBy: owner },
    });
    const bytes = await bytesOf(picture().png());
    const search = `?productId=${productId}`;
    expect((await upload(bytes, await sessionOf(guest), {}, search)).status).toBe(201);
    expect(await db().media.findMany({ where: { merchantId: owner } })).toHaveLength(1);
    expect(await codeOf(await upload(bytes, session, {}, search))).toEqual([404, 'NOT_FOUND']);
    expect(await codeOf(await upload(bytes, session, {}, '?productId=none'))).toEqual([404, 'NOT_FOUND']);
  });

  it('[O1] is told to come again when too many wait, of all or of the shop', async () => {
    const sessions = await Promise.all(
      [0, 1, 2].map(async () => sessionOf((await makeUser('merchant')).userId)),
    );
    // All of them first, so that they come at once.
    const pictures = await Promise.all(
      Array.from({ length: MAX_OF_A_SHOP + 1 + 2 * sessions.length }, () => bytesOf(picture().png())),
    );
    const send = (each: string) => upload(pictures.pop() ?? Buffer.alloc(0), each);
    const ofOne = await Promise.all(Array.from({ length: MAX_OF_A_SHOP + 1 }, () => send(session)));
    expect(ofOne.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(MAX_OF_A_SHOP).fill(201),
      503,
    ]);
    const ofAll = await Promise.all(sessions.flatMap((each) => [send(each), send(each)]));
    expect(ofAll.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(MAX_WAITING + 1).fill(201),
      503,
    ]);
    expect(ofAll.find(({ status }) => status === 503)?.headers.get('retry-after')).toBe('5');
  });

  it('[O1] is refused until tomorrow when the shop has sent its share, also when two come at once', async () => {
    const full = (await makeUser('merchant')).userId;
    const row = (nr: number) => ({
      merchantId: full,
      hash: String(nr).padStart(64, '0'),
      bytes: 1,
      width: 1,
      height: 1,
    });
    await db().media.createMany({ data: Array.from({ length: MAX_A_DAY - 1 }, (_, nr) => row(nr)) });
    const fullSession = await sessionOf(full);
    const two = await Promise.all([picture(), picture()].map((each) => bytesOf(each.png())));
    const answers = await Promise.all(two.map((bytes) => upload(bytes, fullSession)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 429]);
    const last = await upload(await bytesOf(picture().png()), fullSession);
    expect(await codeOf(last)).toEqual([429, 'RATE_LIMITED']);
  });
});

describe('a file of a picture', () => {
  it('[O1] is found by its exact address alone', async () => {
    const { hash } = await store(await bytesOf(picture().png()));
    expect((await read(hash, '320.webp')).status).toBe(200);
    const wrong = [
      [hash, '321.webp'],
      [hash, '320.png'],
      [hash, 'upload'],
      [hash, '../../package.json'],
      [hash.toUpperCase(), '320.webp'],
      ['..', '320.webp'],
      [`../${hash}`, '320.webp'],
      ['0'.repeat(64), '320.webp'],
    ] as const;
    for (const [folderName, file] of wrong) {
      const answer = await read(folderName, file);
      expect([answer.status, answer.headers.get('cache-control')], `${folderName}/${file}`).toEqual([
        404,
        'no-store',
      ]);
    }
  });
});
