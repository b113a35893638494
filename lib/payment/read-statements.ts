import 'server-only';
import { db } from '@/lib/db/client';
import { isOutage } from '@/lib/errors/is-outage';
import { log } from '@/lib/http/log';
import { compareAll, findMisbooked } from '@/lib/payment/providers/find-misbooked';
import type { PaymentProvider, StatementLine } from '@/lib/payment/providers/provider';
import { allProviders } from '@/lib/payment/providers/providers';
import { reachProvider } from '@/lib/payment/providers/reach-provider';
import { askAgain } from '@/lib/payment/records/ask-again';
import { readOwnBooks } from '@/lib/payment/records/own-books';
import { claimStatement, markRead } from '@/lib/payment/records/statement-mark';
import { limitMs } from '@/lib/time-limits';
import { noteMisbooked } from './note-misbooked';

/** How many pages of 500 lines one turn reads; the next turn goes on. */
const PAGES = 400;
/** How much is read again each time, ms: a provider does not write its books in the order of their times. */
const OVERLAP_MS = 2 * 60_000;

/** `noted`: reported to staff. `asked`: the provider will be asked about them within seconds. */
type StatementRead = { lines: number; noted: number; asked: number };

/**
 * Compares the money that each provider has taken since the last time with our books, so that none depends on a
 * callback or a question. Asks the provider about money that pays nothing here, and reports money that is not ours to
 * staff. After a failure the next turn starts at the same place. Safe side by side.
 */
export async function readStatements(): Promise<StatementRead> {
  const total: StatementRead = { lines: 0, noted: 0, asked: 0 };
  for (const provider of allProviders()) {
    const readUntil = await claimStatement(provider.name);
    if (readUntil === null) continue;
    try {
      await readOne(provider, readUntil, total);
    } catch (err) {
      // A server of ours that is away for a moment has a red line of its own if it stays away.
      const level = isOutage(err) ? 'warn' : 'error';
      log[level]({ provider: provider.name, err }, 'a statement could not be read');
    }
  }
  return total;
}

async function readOne({ name }: PaymentProvider, readUntil: number, total: StatementRead): Promise<void> {
  let next: string | undefined;
  for (let count = 0; count < PAGES; count += 1) {
    const page = await reachProvider(
      name,
      (asked) => asked.readStatement(readUntil - OVERLAP_MS, next),
      limitMs('providerMany'),
    );
    await look(name, page.lines, total);
    // The provider's clock alone counts here.
    const until = page.readUntil ?? page.lines.at(-1)?.at;
    if (until !== undefined) await markRead(name, until);
    if (page.next === null) return;
    next = page.next;
  }
}

async function look(provider: string, lines: readonly StatementLine[], total: StatementRead): Promise<void> {
  total.lines += lines.length;
  const ids = lines.map(({ paymentId }) => paymentId);
  const theirs = new Map(lines.map(({ paymentId, at: _, ...state }) => [paymentId, state]));
  const suspects = await compareAll(provider, await readOwnBooks(provider, ids), theirs);
  if (suspects.length === 0) return;
  const found = await findMisbooked(
    provider,
    suspects.map(({ paymentId }) => paymentId),
  );
  const strangers = found.filter(({ own }) => own === null);
  const ours = found.filter(({ own }) => own !== null).map(({ paymentId }) => paymentId);
  await noteMisbooked(strangers);
  if (ours.length > 0) await askAgain(db(), ours);
  total.noted += strangers.length;
  total.asked += ours.length;
}
