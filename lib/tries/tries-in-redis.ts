import 'server-only';
import { cacheRedis } from '@/lib/redis/client';
import { runScript } from '@/lib/redis/run-script';
import {
  type Claim,
  type ClaimResult,
  complete,
  settlement,
  type TryCounter,
  type TryOutcome,
} from './types';

const LETTERS = { ahead: 'a', late: 'l', gauge: 'g' } as const;

const keysOf = (counters: readonly TryCounter[]) => counters.map(({ key }) => key);

/** Returns what the scripts need of each counter. */
const asked = (counters: readonly TryCounter[]): string =>
  counters
    .map(complete)
    .map(({ kind, free, tight, baseMs, maxMs, keepMs }) =>
      [LETTERS[kind], free, tight, baseMs, maxMs, keepMs].join(' '),
    )
    .join('\n');

/** Claims a try in Redis. @param now ms; by Redis's clock if left out @throws connection errors */
export async function claimInRedis(counters: readonly TryCounter[], now?: number): Promise<ClaimResult> {
  const reply = await runScript(cacheRedis(), 'claim-tries-n', keysOf(counters), [
    now ?? '',
    asked(counters),
  ]);
  switch (reply[0]) {
    case 'wait':
      return {
        status: 'wait',
        waitMs: Number(reply[1]),
        counter: counters[Number(reply[2]) - 1] as TryCounter,
      };
    case 'go': {
      const charged = [...(reply[1] ?? '')].map((letter) => letter === '1');
      return { status: 'go', claim: { counters, charged, isLocal: false } };
    }
    default:
      throw new Error(`claim-tries-n answered ${JSON.stringify(reply)}`);
  }
}

/** Settles a try in Redis. @returns each counter's failures now @throws connection errors */
export async function settleInRedis(claim: Claim, outcome: TryOutcome, now?: number): Promise<number[]> {
  const { counters } = claim;
  const args = [now ?? '', asked(counters), settlement(claim, outcome)];
  const [status, ...counts] = await runScript(cacheRedis(), 'settle-tries-n', keysOf(counters), args);
  if (status !== 'settled') throw new Error(`settle-tries-n answered ${JSON.stringify([status, ...counts])}`);
  return counts.map(Number);
}
