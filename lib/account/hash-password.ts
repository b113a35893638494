import 'server-only';
import { env } from '@/lib/env';
import { processWide } from '@/lib/process-wide';
import { createHashPool } from './hash-pool';
import { type ComeBack, createPasswordQueue, type PasswordGuest } from './password-queue';

/**
 * The hash of a random password that was not kept, at the cost of all (`hash-worker.mjs`). It is checked where an
 * account has no hash.
 */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Q8ptecpBxdhJ3oy+PSI0mA$krrPRr4P52PUoIjnRwisa8cFUoTfKklflAY/yrpN/ps';
/** No password has this hash. Its account gets one by the link of a mail. */
export const NO_PASSWORD = '!';
/** With each thread: the password it checks and the next one, so that it waits for nobody. */
const OF_ONE_THREAD = 2;

/** For whom a password is hashed, as far as that decides who waits. */
export type HashingFor = Pick<PasswordGuest, 'address'> & Partial<PasswordGuest>;

/** Our own processes, such as the one that seeds the demo. */
const OURSELVES: HashingFor = { address: null, isKnown: true };

const guestOf = ({ address, isKnown = false, since = null }: HashingFor): PasswordGuest => ({
  address,
  isKnown,
  since,
});

/** One queue for what `lib/server/answer-passwords.ts` answers and for what Next answers in the same process. */
const passwords = () =>
  processWide('passwords', () => {
    const { passwordThreads: threads } = env();
    const pool = createHashPool(threads);
    return { pool, queue: createPasswordQueue(OF_ONE_THREAD * threads, () => pool.msEach() / threads) };
  });

/** Tells whether a password would be sent away now, before anything else is done for it. Null: it would not. */
export const turnAway = (who: HashingFor): ComeBack | null => passwords().queue.refusal(guestOf(who));

/** Composes letters and their accents, as keyboards send them either way (RFC 8265). */
const compose = (password: string): string => password.normalize('NFC');

/**
 * The spellings under which a password may have been hashed: composed, and in older hashes as it was typed then. Text
 * without such letters has one spelling.
 */
const spellingsOf = (password: string): Iterable<string> =>
  new Set([compose(password), password, password.normalize('NFD')]);

/** Hashes a password with argon2id. @throws TooManyHashesError */
export function hashPassword(password: string, who: HashingFor = OURSELVES): Promise<string> {
  const { pool, queue } = passwords();
  return queue.run(guestOf(who), () => pool.hash(compose(password)));
}

/**
 * Checks whether `password` belongs to `passwordHash`. Takes as long if there is no hash, or one that no password can
 * have, so the time doesn't tell which addresses have an account.
 * @throws TooManyHashesError
 */
export async function isPassword(
  passwordHash: string | undefined,
  password: string,
  who: HashingFor = OURSELVES,
): Promise<boolean> {
  const { pool, queue } = passwords();
  const isHash = passwordHash?.startsWith('$argon2') ?? false;
  const matches = await queue.run(guestOf(who), async () => {
    for (const spelling of spellingsOf(password))
      if (await pool.verify(isHash ? (passwordHash as string) : NOBODYS_HASH, spelling)) return true;
    return false;
  });
  return isHash && matches;
}
