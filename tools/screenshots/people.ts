import { type Client, createClient } from '@/tools/harness/client';
import { recruit } from '@/tools/harness/recruit';

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
 * Recruits people with names, devices and addresses of their own; names and devices are the same at every call.
 * @param count at most 320, so that no name comes twice
 */
export async function recruitPeople(origin: string, count: number): Promise<Person[]> {
  const people = await recruit(Array.from({ length: count }, (_, n) => nameOf(n)));
  return Promise.all(
    people.map(async ({ userId, email }, n) => {
      const address = `203.0.${113 + (n >> 8)}.${n & 255}`;
      return { ...(await createClient({ userId, origin, address, jar: { device: '' } })), email };
    }),
  );
}

function nameOf(n: number) {
  const first = FIRST[n % FIRST.length];
  const last = LAST[(n + Math.floor(n / FIRST.length)) % LAST.length];
  return { name: `${first} ${last}`, email: `${first}.${last}@example.com`.toLowerCase() };
}
