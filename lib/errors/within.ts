import 'server-only';
import { processWide } from '@/lib/process-wide';
import { OutageError } from './outage-error';

/** Into how many parts a time limit is cut. Tests cut it: a machine that stands still must use up one of them at most. */
export const CUT = processWide('within', () => ({ parts: 1 }));

/**
 * Returns the result of `work`: a connection can stay open and silent for ever.
 * @param what whose answer is awaited, for the log
 * @throws OutageError after `ms`
 */
export async function within<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    let left = CUT.parts;
    timer = setTimeout(() => {
      left -= 1;
      if (left > 0) timer?.refresh();
      else reject(new OutageError(`${what} gave no answer within ${ms} ms`));
    }, ms / left);
  });
  // After the timeout, no caller needs the result or the error of the work any more.
  Promise.resolve(work).catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
