import { progress } from './infra/progress.mjs';
import { sayWhy } from './say-why';

type Work = (onPart: (name: string) => void, done: (lines: string[]) => void) => Promise<void>;

/**
 * Runs a command that takes long and prints, on standard error, what is under way; the result goes to standard output.
 * Exit code 0, or 2 with one clear sentence.
 */
export async function runOnDatabase(title: string, work: Work): Promise<void> {
  let lines: string[] = [];
  try {
    await progress(process.stderr).step(title, async (_note, wait) => {
      await work(
        (name) => wait(() => name),
        (said) => {
          lines = said;
        },
      );
    });
    process.stdout.write(`${lines.join('\n')}\n`);
  } catch (error) {
    console.error(sayWhy(error));
    process.exitCode = 2;
  }
}
