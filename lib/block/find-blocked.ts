import 'server-only';
import { db } from '@/lib/db/client';
import { networksAround, parseAddress } from './parse-network';

type Person = {
  userId: string;
  /** Empty: unknown. */
  device: string;
  /** Null: unknown. */
  address: string | null;
};

/**
 * Finds who of many people is blocked now, by account, device or network, as Postgres says. `findBlock` answers the same
 * from memory.
 * @returns the ids of the users. @throws connection errors
 */
export async function findBlocked(people: readonly Person[]): Promise<Set<string>> {
  const subjects = people.map((person) => subjectsOf(person));
  const all = [...new Set(subjects.flat())];
  const [kinds, values] = [all.map((key) => split(key)[0]), all.map((key) => split(key)[1])];
  const rows = await db().$queryRaw<{ kind: string; value: string }[]>`
    SELECT b.kind, b.value FROM blocks b
    JOIN unnest(${kinds}::text[], ${values}::text[]) AS asked (kind, value) ON b.kind = asked.kind AND b.value = asked.value
    WHERE b.lifted_at IS NULL AND (b.expires_at IS NULL OR b.expires_at > now())`;
  const live = new Set(rows.map(({ kind, value }) => `${kind} ${value}`));
  return new Set(
    people.filter((_, at) => subjects[at]?.some((subject) => live.has(subject))).map(({ userId }) => userId),
  );
}

/**
 * Tells whether an account may not buy any more, as Postgres says; who is banned is blocked, too. Asked wherever units that came
 * back would be given to somebody once more. @throws connection errors
 */
export const isAccountBlocked = async (userId: string): Promise<boolean> =>
  (await findBlocked([{ userId, device: '', address: null }])).size > 0;

function subjectsOf({ userId, device, address }: Person): string[] {
  const number = address === null ? null : parseAddress(address);
  const networks = number === null ? [] : networksAround(number);
  return [
    `user ${userId}`,
    ...(device === '' ? [] : [`device ${device}`]),
    ...networks.map((network) => `ip ${network}`),
  ];
}

const split = (key: string): [kind: string, value: string] => {
  const space = key.indexOf(' ');
  return [key.slice(0, space), key.slice(space + 1)];
};
