import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '@/tools/harness/ask';
import { askAboutPlace, isWorthAsking } from './ask-about-place';
import type { PlaceEntry } from './ledger';
import type { Visit } from './shopper';

const RETRY_MS = 300;

/**
 * Joins a line until there is a definite answer; some press twice at the same moment.
 * @returns the place; null: nobody joins any more, or nobody answered before the round closed
 */
export async function joinLine(shopper: Visit): Promise<PlaceEntry | null> {
  const { plan, closesAt } = shopper;
  await noteSeedHash(shopper);
  const nonce = randomBytes(16).toString('base64url');
  while (Date.now() < closesAt) {
    const answers = await Promise.all(
      Array.from({ length: plan.isDoubleClick ? 2 : 1 }, () =>
        askAboutPlace(shopper, { of: 'line', act: 'join', body: { nonce } }),
      ),
    );
    const told = answers.find(({ entry }) => entry.number !== null);
    if (told) return told.entry;
    if (answers.every(({ entry }) => !isWorthAsking(entry) && entry.code !== 'ENTRY_NOT_OPEN')) return null;
    await sleep(RETRY_MS);
  }
  return null;
}

/** Notes the hash of the seed, which everybody may see beforehand. */
async function noteSeedHash({ sale, webs, random, ledger }: Visit): Promise<void> {
  const reply = await ask(`${random.pick(webs).origin}/api/sales/${sale.saleId}/state`);
  const line = reply.kind === 'answered' ? (reply.body.line as { seedHash?: unknown } | null) : null;
  if (typeof line?.seedHash === 'string' && reply.answeredAt < sale.startsAt)
    ledger.seedHashes.add(line.seedHash);
}

/** Gives up a place in a line until that is confirmed or the round closes. */
export async function leaveLine(shopper: Visit): Promise<void> {
  while (Date.now() < shopper.closesAt) {
    const { entry } = await askAboutPlace(shopper, { of: 'line', act: 'leave' });
    if (!isWorthAsking(entry)) return;
    await sleep(RETRY_MS);
  }
}
