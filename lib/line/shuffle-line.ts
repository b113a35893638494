import 'server-only';
import { type Db, db } from '@/lib/db/client';
import { transaction } from '@/lib/db/transaction';
import { digestNonces } from '@/lib/shuffle/digest-nonces';
import { placesOf } from './places';
import { digestLine } from './read-list';

/** What a public source told; with a `url` and no value it was asked and told nothing. */
export type Told = { beacon: string | null; beaconUrl: string | null };

const SHUFFLE_WITHIN_MS = 60_000;

/**
 * Fixes who came before the start and what their order follows from. Once done, it stays. The row's lock is held only for a
 * moment: whoever joins after it was held once has a later `joined_at`, so those who came before can be read without it.
 * 200,000 people take some two seconds.
 * @param told asked for after the start
 * @returns false if it was done before, or by another worker meanwhile. @throws connection errors
 */
export async function shuffleLine(saleId: string, { beacon, beaconUrl }: Told): Promise<boolean> {
  const line = await transaction((tx) => lockUnshuffled(tx, saleId), SHUFFLE_WITHIN_MS);
  if (!line) return false;
  const { early, seed, pseudonym_key: pseudonymKey } = line;
  const digest = await digestNonces(await readNonces(db(), saleId, early));
  const shuffledWith = { seed: hex(seed), noncesDigest: hex(digest), beacon };
  const places = await placesOf({ saleId, early, shuffledWith });
  if (!places) throw new Error(`${saleId} has no places`);
  const list = await digestLine(db(), { saleId, pseudonymKey, placeOf: places.placeOf }, early);
  return transaction(async (tx) => {
    const now = await lockUnshuffled(tx, saleId);
    if (now?.early !== early) return false;
    await tx.$executeRaw`
      UPDATE lines SET early = ${early}, nonces_digest = ${Buffer.from(digest)}, list_digest = ${Buffer.from(list)},
                       beacon = ${beacon}, beacon_url = ${beaconUrl}, shuffled_at = clock_timestamp(), updated_at = now()
      WHERE sale_id = ${saleId}`;
    return true;
  }, SHUFFLE_WITHIN_MS);
}

type Unshuffled = { seed: Uint8Array; pseudonym_key: Uint8Array; early: number };

/** Locks a line's row, and counts who came before the start; null if it has been shuffled. */
async function lockUnshuffled(tx: Db, saleId: string): Promise<Unshuffled | null> {
  const [row] = await tx.$queryRaw<Omit<Unshuffled, 'early'>[]>`
    SELECT seed, pseudonym_key FROM lines WHERE sale_id = ${saleId} AND early IS NULL FOR UPDATE`;
  if (!row) return null;
  const [came] = await tx.$queryRaw<{ early: number }[]>`
    SELECT coalesce(max(e.number) + 1, 0)::int AS early FROM line_entries e JOIN sales s ON s.id = e.sale_id
    WHERE e.sale_id = ${saleId} AND e.joined_at < s.starts_at`;
  return { ...row, early: came?.early ?? 0 };
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

const PAGE = 20_000;

/** Reads the nonces of the numbers below `count`, in their order. @throws if one is missing */
export async function readNonces(tx: Db, saleId: string, count: number): Promise<Uint8Array[]> {
  const nonces: Uint8Array[] = [];
  while (nonces.length < count) {
    const rows = await tx.$queryRaw<{ number: number; nonce: Uint8Array }[]>`
      SELECT number, nonce FROM line_entries
      WHERE sale_id = ${saleId} AND number >= ${nonces.length} AND number < ${count} ORDER BY number LIMIT ${PAGE}`;
    for (const { number, nonce } of rows) {
      if (number !== nonces.length) throw new Error(`${saleId} has no number ${nonces.length} in its line`);
      nonces.push(nonce);
    }
    if (rows.length === 0) throw new Error(`${saleId} has no number ${nonces.length} in its line`);
  }
  return nonces;
}
