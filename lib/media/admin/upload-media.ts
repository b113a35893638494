import 'server-only';
import { createHash } from 'node:crypto';
import { type Actor, shopForNew } from '@/lib/actor/actor';
import type { Media } from '@/lib/contract/shapes/media';
import { MAX_PICTURES_A_DAY, mediaPath, PICTURE_FILES } from '@/lib/contract/words/media';
import { db } from '@/lib/db/client';
import { decodeInTurn } from '@/lib/media/decode-in-turn';
import { mediaStore } from '@/lib/media/media-store';
import { shrinkPicture } from '@/lib/media/shrink-picture';

const DAY_MS = 86_400_000;

type UploadResult =
  | { status: 'stored'; media: Media }
  | { status: 'no_shop' | 'not_a_picture' | 'too_many_pixels' | 'too_many' | 'busy' };

/**
 * Stores a picture for one of the actor's shops: each file once, whoever uploads it.
 * @param bytes `MAX_PICTURE_BYTES` at most
 * @returns `busy` if too many wait for theirs; `too_many` if the shop has stored as many within a day as it may
 * @throws NotAllowedError as `shopForNew`; OutageError
 */
export async function uploadMedia(
  actor: Actor,
  shop: string | undefined,
  bytes: Uint8Array,
): Promise<UploadResult> {
  const merchantId = await shopForNew(actor, shop, db());
  if (merchantId === null) return { status: 'no_shop' };
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (await isStored(hash)) return stored(hash);
  const since = new Date(Date.now() - DAY_MS);
  const today = await db().media.count({ where: { merchantId, createdAt: { gt: since } } });
  if (today >= MAX_PICTURES_A_DAY) return { status: 'too_many' };
  const shrunk = await decodeInTurn(actor.userId, () => shrinkPicture(bytes));
  if (shrunk === null) return { status: 'busy' };
  if (shrunk.status !== 'made') return shrunk;
  for (const { name, bytes: file } of shrunk.files) await mediaStore().write(`${hash}/${name}`, file);
  // The row comes last: what it names is there.
  await db().$executeRaw`
    INSERT INTO media (hash, merchant_id) VALUES (${hash}, ${merchantId})
    ON CONFLICT (hash) DO UPDATE SET unused_since = now()`;
  return stored(hash);
}

/**
 * Tells whether a picture is stored. If so, it stays for another while: somebody is about to use it. Waits for a worker
 * that is removing it.
 */
async function isStored(hash: string): Promise<boolean> {
  const kept = await db().$executeRaw`UPDATE media SET unused_since = now() WHERE hash = ${hash}`;
  if (kept === 0) return false;
  const all = await Promise.all(PICTURE_FILES.map((file) => mediaStore().has(`${hash}/${file}`)));
  return all.every(Boolean);
}

const stored = (hash: string): UploadResult => ({
  status: 'stored',
  media: { hash, url: mediaPath(hash, 640, 'webp') },
});
