import { db } from '@/lib/db/client';
import { newId } from '@/lib/ids/new-id';
import { type Client, createClient } from '@/tools/attack/client';

const FIRST =
  'Mia Noah Lena Jonas Aiko Mateo Priya Omar Clara Hugo Yuki Elif Ravi Nora Emil Ines Tariq Wei Ada Luca'.split(
    ' ',
  );
const LAST =
  'Keller Rossi Tanaka Novak Okafor Lindqvist Moreau Silva Haddad Chen Berg Dubois Kaya Iyer Walsh Costa'.split(
    ' ',
  );

export type Person = Client & { email: string };

/**
 * People with names and devices of their own, the same at every call; each at an address of their own.
 * @param count at most 320: no name comes twice
 */
export async function recruit(origin: string, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, n) => {
    const [first = '', last = ''] = [
      FIRST[n % FIRST.length],
      LAST[(n + Math.floor(n / FIRST.length)) % LAST.length],
    ];
    return {
      id: newId('user'),
      name: `${first} ${last}`,
      email: `${first}.${last}@example.com`.toLowerCase(),
      address: `203.0.${113 + (n >> 8)}.${n & 255}`,
    };
  });
  await db().user.createMany({
    data: people.map(({ id, name, email }) => ({ id, name, email, passwordHash: '!' })),
  });
  return Promise.all(
    people.map(async ({ id: userId, email, address }) => ({
      ...(await createClient({ userId, origin, address, jar: { device: '' } })),
      email,
    })),
  );
}
