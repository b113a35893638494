import 'server-only';
import {
  closeGrant,
  createGrant,
  type Grant,
  raiseGrant,
  takeGranted,
  wantedGrant,
} from '@/lib/fallback/grant';
import { saveAccepted, saveGrant } from '@/lib/fallback/save-grant';
import type { Route } from '@/lib/fallback/types';
import { log } from '@/lib/http/log';
import { hasOlder, rememberAccepted, takeOlder } from './accepted-memory';
import { handOver } from '../order/hand-over';
import { replayAccepted } from '../recovery/replay-accepted';

/** How long a purchase waits for units to be granted: a round trip to Postgres, a few when it is busy. */
const GRANT_WAIT_MS = 1_000;

/** A sale that this process follows, and what it may accept of it through Redis. */
export type RouteGrants = {
  route: Route;
  /** What this process may accept now. */
  grant: Grant | null;
  isRaising: boolean;
  /** How often at this moment remembered purchases are being handed over. */
  handingOver: number;
  /** Grants that are over, with the number Postgres has been told; null = none yet. */
  ended: Map<Grant, number | null>;
};

/** Takes units of the present grant, which is made with the first. @returns null if none were granted in time. */
export async function takeGrant(followed: RouteGrants, units: number): Promise<Grant | null> {
  followed.grant ??= createGrant(followed.route.epoch);
  const { grant } = followed;
  const taking = takeGranted(grant, units, GRANT_WAIT_MS);
  raise(followed);
  return (await taking) ? grant : null;
}

/** Whether 202s were answered that are not known where the sale is sold now. */
export const isOwing = ({ route, handingOver }: RouteGrants): boolean =>
  handingOver > 0 || hasOlder(route.saleId, route.epoch);

/** Nothing more is accepted under the present grant. */
export function endGrant(followed: RouteGrants): void {
  if (!followed.grant) return;
  closeGrant(followed.grant);
  followed.ended.set(followed.grant, null);
  followed.grant = null;
}

/**
 * Hands over what this process has accepted under a loading that is over, then says how many units that were. Fails at
 * nothing: what could not be done is done the next time.
 */
export async function settleGrants(followed: RouteGrants): Promise<void> {
  const { route, ended } = followed;
  const { saleId, mode, epoch } = route;
  try {
    if (mode !== 'redis') await handOverRemembered(followed);
    // It was sold elsewhere and is back, and this process has slept through it.
    else await replayAccepted(saleId, epoch);
    for (const [grant, told] of ended) {
      const { taken } = grant;
      if (taken !== told) await saveAccepted(saleId, grant, taken);
      if (grant.underWay === 0) ended.delete(grant);
      else ended.set(grant, taken);
    }
  } catch (err) {
    log.warn({ saleId, err }, 'accepted purchases could not be handed over yet');
  }
}

async function handOverRemembered(followed: RouteGrants): Promise<void> {
  const { saleId, epoch } = followed.route;
  const orders = takeOlder(saleId, epoch);
  if (orders.length === 0) return;
  followed.handingOver += 1;
  try {
    await handOver(saleId, orders);
  } catch (error) {
    rememberAccepted(saleId, 0, orders);
    throw error;
  } finally {
    followed.handingOver -= 1;
  }
}

function raise(followed: RouteGrants): void {
  const { grant, route } = followed;
  if (!grant || followed.isRaising) return;
  const wanted = wantedGrant(grant, route.total);
  if (wanted === null) return;
  followed.isRaising = true;
  const { saleId } = route;
  void saveGrant(saleId, grant, wanted)
    .then((isGranted) => {
      // Not granted: the sale has left Redis, which the next look shows.
      if (isGranted) raiseGrant(grant, wanted);
      return isGranted;
    })
    .catch((err) => {
      log.warn({ saleId, err }, 'no units could be granted');
      return false;
    })
    .then((isGranted) => {
      followed.isRaising = false;
      // Others may have come to wait meanwhile.
      if (isGranted) raise(followed);
    });
}
