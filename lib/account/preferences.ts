import 'server-only';
import type { Preferences, PreferencesChange } from '@/lib/contract/shapes/preferences';
import { isMailTopic } from '@/lib/contract/words/mail-topic';
import { db } from '@/lib/db/client';
import { toLocale } from './user-locale';

const select = { locale: true, timeZone: true, mutedMails: true } as const;
type Row = { locale: string; timeZone: string | null; mutedMails: string[] };

/** Leaves out what a newer release may have written. */
const toPreferences = ({ locale, timeZone, mutedMails }: Row): Preferences => ({
  locale: toLocale(locale),
  timeZone,
  mutedMails: mutedMails.filter(isMailTopic),
});

/** Returns how an account's owner wants to be told; null: there is no such account. */
export async function readPreferences(userId: string): Promise<Preferences | null> {
  const row = await db().user.findUnique({ where: { id: userId }, select });
  return row && toPreferences(row);
}

/** Changes what is named, and leaves the rest. A language that was chosen stays, wherever its owner signs in. */
export async function changePreferences(
  userId: string,
  { mutedMails, ...change }: PreferencesChange,
): Promise<Preferences> {
  const muted = mutedMails && [...new Set(mutedMails)].sort();
  const data = {
    ...change,
    ...(change.locale ? { isLocaleChosen: true } : {}),
    ...(muted ? { mutedMails: muted } : {}),
  };
  return toPreferences(await db().user.update({ where: { id: userId }, data, select }));
}
