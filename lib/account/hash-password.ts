import 'server-only';
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';

// OWASP's second recommended setting for argon2id (the library's default variant): 19 MiB, 2 passes, 1 lane.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
// Each hash holds a thread and 19 MiB; more at once only slows everybody down.
const CONCURRENT_HASHES = 2;
const QUEUED_HASHES_MAX = 200;

const slots = pLimit(CONCURRENT_HASHES);

/** Thrown when so many people sign in at once that waiting for a slot makes no sense. */
export class TooManyHashesError extends Error {
  override name = 'TooManyHashesError';
}

function inSlot<T>(work: () => Promise<T>): Promise<T> {
  if (slots.pendingCount >= QUEUED_HASHES_MAX)
    throw new TooManyHashesError('too many passwords are being checked');
  return slots(work);
}

/** Hashes a password with argon2id. @throws TooManyHashesError when more than 200 are waiting. */
export const hashPassword = async (password: string): Promise<string> => inSlot(() => hash(password, COST));

/** Whether `password` belongs to `passwordHash`; false for a hash no password can have. */
export async function isPassword(passwordHash: string, password: string): Promise<boolean> {
  if (!passwordHash.startsWith('$argon2')) return false;
  return inSlot(() => verify(passwordHash, password));
}
