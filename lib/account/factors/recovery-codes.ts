import 'server-only';
import { createHash, randomInt } from 'node:crypto';
import type { Db } from '@/lib/db/client';

export const RECOVERY_CODES = 10;
/** Without letters that look like digits. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 24 letters of 31: 118 bits. So many can't be tried out, and a plain hash keeps them. */
const LENGTH = 24;
const GROUP = /.{4}(?=.)/g;

/** Makes a code, without the hyphens with which its owner sees it. */
export const createRecoveryCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Returns the hash by which a code is kept; spaces, hyphens and capitals don't matter. */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256')
    .update(`recovery code:${code.toLowerCase().replace(/[\s-]/g, '')}`)
    .digest('hex');

/** Gives an account new recovery codes in place of the ones it had. @returns them, for its owner to see once */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, createRecoveryCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })),
  });
  return codes.map((code) => code.replace(GROUP, '$&-'));
}
