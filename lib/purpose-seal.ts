import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { purposeKeys } from '@/lib/purpose-keys';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A secret as the database keeps it. `keyMark` tells which key sealed it, and nothing else about that key. */
export type SealedSecret = { sealedSecret: string; keyMark: string };

const markOf = (key: Buffer) => createHash('sha256').update(key).digest('hex').slice(0, 16);

function newestOf(purpose: string): Buffer {
  const [key] = purposeKeys(purpose);
  if (!key) throw new Error('ENTRY_SECRET holds no key');
  return key;
}

/**
 * Makes the functions that encrypt secrets of one purpose (AES-256-GCM) by keys of their own, derived from
 * `ENTRY_SECRET`.
 * @param purpose never changes: a secret sealed for another purpose can't be opened
 */
export const sealFor = (purpose: string) => ({
  /** Returns the mark of the key that seals now. Secrets with another mark should be sealed again. */
  presentKeyMark: (): string => markOf(newestOf(purpose)),

  /** Encrypts a secret with the newest key. It is bound to its owner's id: moved to another row, it can't be opened. */
  sealSecret(ownerId: string, secret: string): SealedSecret {
    const key = newestOf(purpose);
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(ownerId));
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return {
      sealedSecret: Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url'),
      keyMark: markOf(key),
    };
  },

  /** Decrypts a secret; null if no live key sealed it, or it was altered, or it is another owner's. */
  openSecret(ownerId: string, { sealedSecret, keyMark }: SealedSecret): string | null {
    const key = purposeKeys(purpose).find((each) => markOf(each) === keyMark);
    if (!key) return null;
    const bytes = Buffer.from(sealedSecret, 'base64url');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    try {
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(ownerId))
        .setAuthTag(tag);
      const text = bytes.subarray(IV_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  },
});
