import { expect } from 'vitest';
import { pool } from '@/lib/db/client';
import { declareNeed } from '@/lib/http/process-needs';
import { readLockMetrics } from '@/lib/lock/lock-metrics';
import { withLock } from '@/lib/lock/with-lock';
import { countRequest } from '@/lib/metrics/http-meter';
import { countSignIn } from '@/lib/metrics/sign-in-meter';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { confirmed, stampFor } from '@/lib/redis/replicas-ack';
import { noteLoad } from '@/lib/switchboard/heard-loads';
import { stopWatchingSwitchboard, watchSwitchboard } from '@/lib/switchboard/is-on';
import { publish, type RuleCase, times } from './rule-case';

/** Makes a signal that its caller gives. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}

let hasNumbers = true;

let hold = signal();

let held: Promise<unknown> = Promise.resolve();

async function answers(failed: number, sound: number) {
  for (const _ of times(failed)) countRequest('purchase', 503, 1);
  for (const _ of times(sound)) countRequest('purchase', 409, 1);
  await publish();
}

/** Lets that many statements wait for a connection, tells so, and lets them go. */
async function waiting(statements: number) {
  const busy = await Promise.all(times(20).map(() => pool().connect()));
  const waits = times(statements).map(() => pool().query('SELECT 1'));
  await publish();
  for (const connection of busy) connection.release();
  await Promise.all(waits);
}

/** Rules about processes: what they answer, wait for and need. */
export const PROCESS_CASES: RuleCase[] = [
  {
    rule: 'error_rate',
    below: async () => {
      await answers(5, 95);
      return '';
    },
    above: () => answers(2, 0),
  },
  {
    rule: 'lock_wait',
    below: async () => {
      for (const _ of times(5)) await withLock('quiet:1', { ttlMs: 5_000 }, async () => 1);
      await publish();
      return 'quiet';
    },
    above: async () => {
      const busy = signal();
      const holding = withLock('quiet:1', { ttlMs: 30_000 }, () => busy.given);
      const name = keys.lockHolder('quiet:1');
      await expect.poll(() => stockRedis().exists(name)).toBe(1);
      const rival = { ttlMs: 5_000, acquireTimeoutMs: 1_000 };
      await Promise.all(times(5).map(() => withLock('quiet:1', rival, async () => 1)));
      busy.give();
      await holding;
      await publish();
    },
  },
  {
    rule: 'lock_hold',
    below: async () => {
      hold = signal();
      await withLock('slow:1', { ttlMs: 5_000 }, async () => 1);
      await publish();
      return 'slow';
    },
    above: async () => {
      held = withLock('slow:1', { ttlMs: 5_000, alertAfterMs: 20 }, () => hold.given);
      await expect.poll(() => readLockMetrics().slow?.heldLong).toBe(1);
      await publish();
    },
    end: () => {
      hold.give();
      return held;
    },
  },
  {
    rule: 'sign_in_failures',
    below: async () => {
      for (const _ of times(100)) countSignIn('wrong');
      for (const _ of times(500)) countSignIn('signed_in');
      await publish();
      return '';
    },
    above: () => {
      countSignIn('wrong');
      return publish();
    },
  },
  {
    rule: 'accounts_attacked',
    below: async () => '',
    above: () => {
      countSignIn('attacked');
      return publish();
    },
  },
  {
    rule: 'process_not_ready',
    below: async () => {
      declareNeed('orderNumbers', () => hasNumbers);
      await publish();
      return '';
    },
    above: async () => {
      hasNumbers = false;
      await publish();
    },
    end: async () => {
      hasNumbers = true;
    },
  },
  {
    rule: 'side_feature_off',
    below: async () => {
      await watchSwitchboard();
      await publish();
      return 'search';
    },
    above: async () => {
      noteLoad({ process: 'test', busy: 1, taken: [Date.now()] });
      await publish();
    },
    end: async () => stopWatchingSwitchboard(),
  },
  {
    rule: 'replica_acks_missing',
    below: async () => {
      await publish();
      return '';
    },
    above: async () => {
      const stamp = await stampFor('{a}', '{a}:mark');
      // As if the connection had been lost since.
      await expect(confirmed({ ...stamp, life: stamp.life - 1 })).rejects.toThrow();
      await publish();
    },
  },
  {
    rule: 'database_connections',
    below: async () => {
      await waiting(20);
      return '';
    },
    above: () => waiting(21),
  },
];
