import 'server-only';
import { describeMisbooked } from '@/lib/payment/note-misbooked';
import { compareAll, findMisbooked, type Misbooked } from '@/lib/payment/providers/find-misbooked';
import type { PaymentProvider } from '@/lib/payment/providers/provider';
import { allProviders } from '@/lib/payment/providers/providers';
import { reachProvider } from '@/lib/payment/providers/reach-provider';
import { readOwnBooks } from '@/lib/payment/records/own-books';
import { limitMs } from '@/lib/time-limits';

const EXAMPLES = 5;

type StatementsVerification = { ok: boolean; detail: string };

/**
 * Reads every provider's whole statement, page by page, and looks for each line in our books. Unknown money belongs
 * to no sale, so no sale's verification can find it. A line that a person has closed as a dead letter is no
 * difference.
 * @throws ProviderSilentError; connection errors.
 */
export async function verifyStatements(): Promise<StatementsVerification> {
  const found: Misbooked[] = [];
  let lines = 0;
  for (const provider of allProviders()) lines += await readAll(provider, found);
  if (found.length === 0)
    return { ok: true, detail: `${lines} payments on the providers' statements, all booked here` };
  const more = found.length - EXAMPLES;
  const said = found.slice(0, EXAMPLES).map(describeMisbooked);
  return { ok: false, detail: [...said, ...(more > 0 ? [`and ${more} more`] : [])].join('; ') };
}

async function readAll(provider: PaymentProvider, found: Misbooked[]): Promise<number> {
  let count = 0;
  for (let next: string | null | undefined; next !== null; ) {
    const from = next;
    const page = await reachProvider(
      provider.name,
      (asked) => asked.readStatement(0, from),
      limitMs('providerMany'),
    );
    const own = await readOwnBooks(
      provider.name,
      page.lines.map(({ paymentId }) => paymentId),
    );
    const theirs = new Map(page.lines.map(({ paymentId, at: _, ...state }) => [paymentId, state]));
    const suspects = await compareAll(provider.name, own, theirs);
    const ids = suspects.map(({ paymentId }) => paymentId);
    if (ids.length > 0) found.push(...(await findMisbooked(provider.name, ids)));
    count += page.lines.length;
    next = page.next;
  }
  return count;
}
