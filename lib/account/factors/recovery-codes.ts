import 'server-only';
import { createHash, randomInt } from 'node:crypto';
import type { Db } from '@/lib/db/client';

const COUNT = 10;
/** Letters and digits that look like no other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';
/** 24 of 31 letters are 118 bits: too many to be tried out, so a plain hash protects them (OWASP ASVS 5, 6.5.2). */
const LENGTH = 24;
const GROUP = /.{4}(?=.)/g;

/** Makes a code, without the hyphens that its owner sees. */
export const createRecoveryCode = (): string =>
  Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Computes the hash that the database keeps of a code. @param code from `typedCode` */
export const hashRecoveryCode = (code: string): string =>
  createHash('sha256').update(`recovery code:${code}`).digest('hex');

/** Gives an account new recovery codes in place of those it had. @returns the codes, for their owner to see once */
export async function replaceRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, createRecoveryCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  await tx.recoveryCode.createMany({
    data: codes.map((code) => ({ userId, codeHash: hashRecoveryCode(code) })),
  });
  return codes.map((code) => code.replace(GROUP, '$&-'));
}
