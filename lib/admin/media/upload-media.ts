import 'server-only';
import { createHash } from 'node:crypto';
import type { Media } from '@/lib/contract/shapes/media';
import { mediaPath } from '@/lib/contract/words/media';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { looksLikePicture } from '@/lib/media/looks-like-picture';
import { hasMediaFiles, makeMediaFiles } from '@/lib/media/media-files';
import { takeTurn } from '@/lib/media/picture-line';
import { findProductOwner } from '@/lib/product/find-owner';
import { type Actor, demand, mayManage, shopForNew } from '../actor';

/** How many new pictures a shop may upload within a day. */
export const MAX_A_DAY = 200;
const DAY_MS = 86_400_000;

type UploadResult =
  | { status: 'stored'; media: Media }
  | { status: 'not_a_picture' | 'too_many_pixels' | 'too_many' | 'busy' };

/**
 * Returns the id of the shop to which an upload of the actor belongs: that of the product it is for, else the one they
 * have chosen; null if there is no such product to them.
 * @throws NotAllowedError if they may not do that there
 */
export async function shopForUpload(actor: Actor, productId?: string): Promise<string | null> {
  demand(actor, 'manageSales');
  if (productId === undefined) return shopForNew(actor, undefined, db());
  const owner = await findProductOwner(productId);
  return owner && (await mayManage(actor, owner.merchantId, 'settings')) ? owner.merchantId : null;
}

/**
 * Stores a picture of a shop: each file once, whoever uploads it.
 * @param shopId from `shopForUpload`
 * @returns `busy` if too many wait for theirs, `too_many` if the shop has uploaded as many today as it may
 * @throws OutageError
 */
export async function uploadMedia(shopId: string, bytes: Uint8Array): Promise<UploadResult> {
  if (!looksLikePicture(bytes)) return { status: 'not_a_picture' };
  const hash = createHash('sha256').update(bytes).digest('hex');
  const isStored = await hasMediaFiles(hash);
  const own = await db().media.findUnique({ where: { merchantId_hash: { merchantId: shopId, hash } } });
  if (own && isStored) return stored(own);
  // Before any work; it is counted exactly when it is noted.
  if (await hasSentItsShare(db(), shopId)) return { status: 'too_many' };
  const others = isStored ? await db().media.findFirst({ where: { hash } }) : null;
  const shrunk = others
    ? { status: 'made' as const, ...sizeOf(others) }
    : await shrinkInTurn(shopId, hash, bytes);
  if (shrunk.status !== 'made') return { status: shrunk.status };
  const { width, height } = shrunk;
  const row = { merchantId: shopId, hash, bytes: bytes.byteLength, width, height };
  return (await note(row)) ? stored(row) : { status: 'too_many' };
}

/** Notes what a shop has uploaded, one at a time of each shop. @returns false if it has sent its share meanwhile */
const note = (row: { merchantId: string; hash: string; bytes: number; width: number; height: number }) =>
  transaction(async (tx) => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`media of ${row.merchantId}`}, 0))`;
    if (await hasSentItsShare(tx, row.merchantId)) return false;
    await tx.media.createMany({ data: row, skipDuplicates: true });
    return true;
  });

async function hasSentItsShare(tx: Db, merchantId: string): Promise<boolean> {
  const since = new Date(Date.now() - DAY_MS);
  return (await tx.media.count({ where: { merchantId, createdAt: { gt: since } } })) >= MAX_A_DAY;
}

const shrinkInTurn = async (shopId: string, hash: string, bytes: Uint8Array) =>
  (await takeTurn(shopId, () => makeMediaFiles(hash, bytes))) ?? { status: 'busy' as const };

const sizeOf = ({ width, height }: { width: number; height: number }) => ({ width, height });

const stored = (row: { hash: string; width: number; height: number }): UploadResult => ({
  status: 'stored',
  media: { hash: row.hash, ...sizeOf(row), url: mediaPath(row.hash, 640, 'webp') },
});
