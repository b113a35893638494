import { Problem } from '../../../scripts/infra/problem.mjs';
import { lastLine } from '../../../scripts/infra/read-log.mjs';
import { waitUntilReady } from '../../../scripts/infra/wait-until-ready.mjs';

/**
 * Waits until a web process is ready to sell.
 * @throws Problem with the last line of its log when the process ends before that
 */
export async function awaitWeb(origin: string, logFile: string, hasEnded: () => boolean): Promise<void> {
  await waitUntilReady({ origin, logFile, isCancelled: hasEnded });
  if (hasEnded()) throw new Problem(`The web process at ${origin} ended: ${lastLine(logFile)}`);
}
