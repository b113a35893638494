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
/** Under way from one address: it can't fill the queue. */
const FROM_ONE_ADDRESS_MAX = 4;

/** For whom a password is hashed, as far as it decides who waits. */
export type HashingFor = {
  /** From `countedAddress`; null: not counted. */
  address: string | null;
  /** The device has signed in to this account before. */
  isKnown?: boolean;
};

/** Our own processes, such as the seed. */
const OURSELVES: HashingFor = { address: null, isKnown: true };

// Routes may be bundled apart: they wait in one queue all the same.
const holder = globalThis as typeof globalThis & {
  seckillHashes?: { slots: ReturnType<typeof pLimit>; underWay: Map<string, number> };
};
holder.seckillHashes ??= { slots: pLimit(CONCURRENT_HASHES), underWay: new Map() };
const { slots, underWay } = holder.seckillHashes;

/** Thrown when so many passwords are being checked that waiting makes no sense, or so many from one address. */
export class TooManyHashesError extends Error {
  override name = 'TooManyHashesError';
}

async function inSlot<T>({ address, isKnown }: HashingFor, work: () => Promise<T>): Promise<T> {
  if (slots.pendingCount >= (isKnown ? QUEUED_HASHES_MAX : QUEUED_STRANGERS_MAX))
    throw new TooManyHashesError('too many passwords are being checked');
  if (address === null) return slots(work);
  const mine = underWay.get(address) ?? 0;
  if (mine >= FROM_ONE_ADDRESS_MAX)
    throw new TooManyHashesError('too many passwords are being checked for one address');
  underWay.set(address, mine + 1);
  try {
    return await slots(work);
  } finally {
    const left = (underWay.get(address) ?? 1) - 1;
    if (left > 0) underWay.set(address, left);
    else underWay.delete(address);
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
