import 'server-only';
import { askBeacon } from '@/lib/beacon/ask-beacon';
import { nowMs } from '@/lib/clock';
import type { SaleInfo } from '@/lib/contract/shapes/sale';
import type { PassedOver } from '@/lib/contract/words/draw';
import { findBuyers } from '@/lib/draw/records/find-buyers';
import { type Entrant, readEntrants } from '@/lib/draw/records/read-entrants';
import { readSeed } from '@/lib/draw/records/read-seed';
import { type DrawResult, recordDraw } from '@/lib/draw/records/record-draw';
import { weightOf } from '@/lib/draw/records/weight-of';
import { env } from '@/lib/env';
import { log } from '@/lib/http/log';
import { findUnmetThreshold } from '@/lib/sale/records/find-unmet-threshold';
import { digestNonces } from '@/lib/shuffle/digest-nonces';
import { drawOrder } from '@/lib/shuffle/draw-order';
import { shuffleKey } from '@/lib/shuffle/shuffle-key';

/**
 * Draws the order of a sale's entrants and writes it, once. People who were banned, left, or may no longer take part
 * keep a place, so that the order can be recomputed, and are passed over.
 * @param sale whose line is closed; @param closedAt when, epoch ms
 * @param beaconUrl whose first value after the close goes in; null: none does
 * @returns false if it had been drawn before. @throws connection errors; then nothing was drawn
 */
export async function decideDraw(
  sale: SaleInfo,
  closedAt: number,
  beaconUrl: string | null = env().beaconUrl ?? null,
): Promise<boolean> {
  const { saleId, drawWeights } = sale;
  const beganAt = performance.now();
  const [beacon, seed, entrants, buyers] = await Promise.all([
    beaconUrl === null ? null : askBeacon(beaconUrl, closedAt),
    readSeed(saleId),
    readEntrants(saleId),
    drawWeights === 'bought_before' ? findBuyers(saleId) : new Set<string>(),
  ]);
  if (beaconUrl !== null && beacon === null)
    log.warn({ saleId }, 'the beacon told nothing: drawn without it');
  const noncesDigest = await digestNonces(
    entrants.map(({ nonce }) => nonce),
    entrants.map(({ variant }) => variant),
  );
  const weights = entrants.map(({ level, userId }) =>
    weightOf(drawWeights, { level, hasBought: buyers.has(userId) }),
  );
  const order = await drawOrder(await shuffleKey({ seed, noncesDigest, beacon }), weights);
  const places = new Array<number>(order.length);
  order.forEach((number, place) => {
    places[number] = place;
  });
  const now = nowMs();
  const passedOver = entrants.map((entrant) => reasonToPass(sale, entrant, now));
  const drawn: DrawResult = { noncesDigest, beacon, beaconUrl, places, weights, passedOver };
  const isNew = await recordDraw(saleId, drawn);
  if (isNew)
    log.info({ saleId, entrants: entrants.length, tookMs: Math.round(performance.now() - beganAt) }, 'drawn');
  return isNew;
}

function reasonToPass(sale: SaleInfo, entrant: Entrant, now: number): PassedOver | null {
  if (entrant.hasLeft) return 'left';
  if (entrant.isBanned) return 'banned';
  if (entrant.isBlocked) return 'blocked';
  return findUnmetThreshold(sale, entrant, now)?.status ?? null;
}
