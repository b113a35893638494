import 'server-only';
import type { Db } from '@/lib/db/client';
import { openingOf, pseudonymOf } from '@/lib/decision-log/pseudonym';

const PAGE = 10_000;
const MARK = /‹([\w-]{43})›/g;

/** Stands in a text for the account behind a pseudonym until `nameAccounts` names it. */
export const toBeNamed = (pseudonym: string): string => `‹${pseudonym}›`;

/**
 * Puts accounts in the place of their pseudonyms. Only the shop can, and only by trying: a million accounts take some
 * seconds, so it is for texts about what is wrong.
 * @param key of the sale's pseudonyms
 */
export async function nameAccounts(tx: Db, key: string, texts: readonly string[]): Promise<string[]> {
  const wanted = new Set(texts.flatMap((text) => [...text.matchAll(MARK)].map(([, who]) => who as string)));
  const found = new Map<string, string>();
  for (let after = ''; found.size < wanted.size; ) {
    const users = await tx.user.findMany({
      where: { id: { gt: after } },
      select: { id: true },
      orderBy: { id: 'asc' },
      take: PAGE,
    });
    for (const { id } of users) {
      const who = pseudonymOf(openingOf(key, id));
      if (wanted.has(who)) found.set(who, id);
    }
    const last = users.at(-1);
    if (!last) break;
    after = last.id;
  }
  return texts.map((text) =>
    text.replace(MARK, (_, who: string) => found.get(who) ?? `an account that is not there (${who})`),
  );
}
