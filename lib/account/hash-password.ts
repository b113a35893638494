import 'server-only';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Of a random password that nobody kept, at the same cost: to be checked where there is no other. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$Q8ptecpBxdhJ3oy+PSI0mA$krrPRr4P52PUoIjnRwisa8cFUoTfKklflAY/yrpN/ps';
// Each hash holds a thread and 19 MiB; more at once only slows everybody down.
const CONCURRENT_HASHES = 2;
/** Waiting ones, at some 25 ms each. The last places are for devices that have signed in before. */
const QUEUED_HASHES_MAX = 200;
const QUEUED_STRANGERS_MAX = 150;
/** Of one address in the queue: it can't fill it. More of them wait outside, each in its turn. */
const QUEUED_OF_ONE_ADDRESS = 4;
/** In the queue and outside: an office that comes to a sale together, and no more. */
const OF_ONE_ADDRESS_MAX = 50;

/** For whom a password is hashed, as far as it decides who waits. */
export type HashingFor = {
  /** From `countedAddress`; null: not counted. */
  address: string | null;
  /** The device has signed in to this account before. */
  isKnown?: boolean;
};

/** Our own processes, such as the seed. */
const OURSELVES: HashingFor = { address: null, isKnown: true };

type Limit = ReturnType<typeof pLimit>;
const slots = pLimit(CONCURRENT_HASHES);
const addresses = new Map<string, { turns: Limit; count: number }>();

/** Thrown when so many passwords are being checked that waiting makes no sense, or so many from one address. */
export class TooManyHashesError extends Error {
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
 * Whether `password` belongs to `passwordHash`. Takes as long where there is no hash, or one that no password can have: nobody
 * finds out by the time who has an account.
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
