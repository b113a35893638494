import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, vi } from 'vitest';
import { closeDb, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { newId } from '@/lib/ids/new-id';
import { areStored, replacePictures } from '@/lib/product/pictures';
import { makeUser } from '@/test/support/make-sale';
import { mediaStore } from './media-store';
import { KEEP_UNUSED_MS, pruneMedia } from './prune-media';

const folder = mkdtempSync(join(tmpdir(), 'seckill-media-'));
vi.stubEnv('MEDIA_DIR', folder);
afterAll(async () => {
  await closeDb();
  rmSync(folder, { recursive: true, maxRetries: 5 });
});

const long = new Date(Date.now() - KEEP_UNUSED_MS - 60_000);
const soon = new Date(Date.now() - KEEP_UNUSED_MS + 600_000);
let merchantId = '';
beforeEach(async () => {
  await db().productPicture.deleteMany();
  await db().media.deleteMany();
  merchantId = (await makeUser('merchant')).userId;
});

async function picture(unusedSince: Date | null) {
  const hash = randomBytes(32).toString('hex');
  await db().media.create({ data: { merchantId, hash, unusedSince } });
  await mediaStore().write(`${hash}/640.webp`, Buffer.from('x'));
  return { hash, alt: '' };
}
async function product() {
  const [id, slug] = [newId('product'), newId('p').replaceAll('_', '-')];
  await db().product.create({ data: { id, merchantId, slug, name: 'Boat', description: '' } });
  return id;
}
const isThere = async ({ hash }: { hash: string }) => ({
  row: (await db().media.count({ where: { hash } })) === 1,
  files: existsSync(join(folder, hash)),
});
const KEPT = { row: true, files: true };
const GONE = { row: false, files: false };

it('[O1] removes pictures with their files a week after the last product has shown them, and no others', async () => {
  const [never, lately, shown, dropped] = [
    await picture(long),
    await picture(soon),
    await picture(long),
    await picture(null),
  ];
  const id = await product();
  await replacePictures(db(), id, [shown]);
  expect(await pruneMedia()).toBe(1);
  expect([await isThere(never), await isThere(lately), await isThere(shown), await isThere(dropped)]).toEqual(
    [GONE, KEPT, KEPT, KEPT],
  );
  const since = async ({ hash }: { hash: string }) =>
    (await db().media.findUniqueOrThrow({ where: { hash } })).unusedSince;
  expect(await since(shown)).toBeNull();
  expect(await since(dropped)).toBeInstanceOf(Date);

  await replacePictures(db(), id, []);
  expect(await pruneMedia()).toBe(0);
  expect(await since(shown)).toBeInstanceOf(Date);
  await db().media.updateMany({ where: { hash: shown.hash }, data: { unusedSince: long } });
  // Two workers at once.
  const [one, two] = await Promise.all([pruneMedia(), pruneMedia()]);
  expect(one + two).toBe(1);
  expect(await isThere(shown)).toEqual(GONE);
});

it('[O1] removes no picture that a product is about to show', async () => {
  const wanted = await picture(long);
  const id = await product();
  let pruned: Promise<number> = Promise.resolve(-1);
  await transaction(async (tx) => {
    expect(await areStored(tx, [wanted])).toBe(true);
    pruned = pruneMedia();
    await vi.waitUntil(
      async () =>
        (
          await db().$queryRaw<unknown[]>`
            SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DELETE FROM media%'`
        ).length > 0,
      { timeout: 60_000 },
    );
    await replacePictures(tx, id, [wanted]);
  });
  await pruned.catch(() => 0);
  expect(await isThere(wanted)).toEqual(KEPT);
  expect(await pruneMedia()).toBe(0);
});
