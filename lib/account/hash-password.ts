import 'server-only';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { OutageError } from '@/lib/errors/outage-error';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** The hash of a random password that was not kept, at the same cost. It is checked where an account has no hash. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Q8ptecpBxdhJ3oy+PSI0mA$krrPRr4P52PUoIjnRwisa8cFUoTfKklflAY/yrpN/ps';
// Each hash holds a thread and 19 MiB; more at once only slow every request down.
const CONCURRENT_HASHES = 2;
/** Passwords that may wait, at some 25 ms each. The last places are for devices that have signed in before. */
const QUEUED_HASHES_MAX = 200;
const QUEUED_STRANGERS_MAX = 150;
/**
 * Places that one address may take in the queue, so that it can't fill it. Its further passwords wait outside, each
 * in its turn.
 */
const QUEUED_OF_ONE_ADDRESS = 4;
/** Passwords of one address in the queue and outside it: enough for an office that comes to a sale together. */
const OF_ONE_ADDRESS_MAX = 50;

/** For whom a password is hashed, as far as that decides who waits. */
export type HashingFor = {
  /** From `countedAddress`; null: not counted. */
  address: string | null;
  /** The device has signed in to this account before. */
  isKnown?: boolean;
};

/** Our own processes, such as the one that seeds the demo. */
const OURSELVES: HashingFor = { address: null, isKnown: true };

type Limit = ReturnType<typeof pLimit>;
const slots = pLimit(CONCURRENT_HASHES);
const addresses = new Map<string, { turns: Limit; count: number }>();

/** Thrown when so many passwords are being checked, in all or from one address, that waiting makes no sense. */
export class TooManyHashesError extends OutageError {
  override name = 'TooManyHashesError';
}

function inSlot<T>(who: HashingFor, work: () => Promise<T>): Promise<T> {
  const { address } = who;
  return address === null ? queue(who, work) : inTurn(address, () => queue(who, work));
}

async function queue<T>({ isKnown }: HashingFor, work: () => Promise<T>): Promise<T> {
  if (slots.pendingCount >= (isKnown ? QUEUED_HASHES_MAX : QUEUED_STRANGERS_MAX))
    throw new TooManyHashesError('too many passwords are being checked');
  return slots(work);
}

async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  const own = addresses.get(address) ?? { turns: pLimit(QUEUED_OF_ONE_ADDRESS), count: 0 };
  if (own.count >= OF_ONE_ADDRESS_MAX)
    throw new TooManyHashesError('too many passwords are being checked for one address');
  addresses.set(address, own);
  own.count += 1;
  try {
    return await own.turns(work);
  } finally {
    own.count -= 1;
    if (own.count === 0) addresses.delete(address);
  }
}

/** Hashes a password with argon2id. @throws TooManyHashesError */
export const hashPassword = (password: string, who: HashingFor = OURSELVES): Promise<string> =>
  inSlot(who, () => hash(password, COST));

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
  const isHash = passwordHash?.startsWith('$argon2') ?? false;
  const matches = await inSlot(who, () => verify(isHash ? (passwordHash as string) : NOBODYS_HASH, password));
  return isHash && matches;
}
