import { readFileSync } from 'node:fs';
import { Problem } from '../infra/problem.mjs';

const LEAST_CHARACTERS = 16;
/** Fewer different ones are a repetition. */
const LEAST_DIFFERENT = 8;
const HOW = 'take --passphrase-file FILE or SECKILL_BACKUP_PASSPHRASE';

/** Reads the passphrase from a file (its last line end does not count) or from the environment. */
export function readPassphrase(file: string | undefined, env: NodeJS.ProcessEnv): string {
  const passphrase = file === undefined ? env.SECKILL_BACKUP_PASSPHRASE : readText(file);
  if (!passphrase) throw new Problem(`There is no passphrase: ${HOW}.`);
  return passphrase;
}

/** Refuses a passphrase that somebody who has the file could guess. */
export function demandStrong(passphrase: string): string {
  const isWeak =
    [...passphrase].length < LEAST_CHARACTERS || new Set(passphrase.toLowerCase()).size < LEAST_DIFFERENT;
  if (isWeak)
    throw new Problem(
      `The passphrase is too easy to guess: take at least ${LEAST_CHARACTERS} characters, ${LEAST_DIFFERENT} of them different, for example six random words.`,
    );
  return passphrase;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    throw new Problem(
      `The passphrase can't be read from ${file} (${(error as { code?: string }).code}): ${HOW}.`,
    );
  }
}
