import 'server-only';
import { OutageError } from './outage-error';

/**
 * Returns the result of `work`: a connection can stay open and silent for ever.
 * @param what whose answer is awaited, for the log
 * @throws OutageError after `ms`
 */
export async function within<T>(ms: number, what: string, work: T | Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new OutageError(`${what} gave no answer within ${ms} ms`)), ms);
  });
  // After the timeout, no caller needs the result or the error of the work any more.
  Promise.resolve(work).catch(() => {});
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
