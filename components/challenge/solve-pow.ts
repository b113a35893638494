import type { PowTask } from '@/lib/contract/shapes/challenge';
import type { PowNews } from './pow.worker';

/**
 * Lets a worker do the calculation.
 * @param onProgress called with the tries so far as a share of the most there can be, 0 … 1
 * @param signal ends the worker; the promise then stays open
 * @returns the answer; null when this browser can't calculate it
 */
export function solvePow(
  task: PowTask,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pow.worker.ts', import.meta.url));
    const end = (answer: string | null) => {
      worker.terminate();
      resolve(answer);
    };
    signal.addEventListener('abort', () => worker.terminate(), { once: true });
    worker.onerror = () => end(null);
    worker.onmessage = ({ data }: MessageEvent<PowNews>) => {
      if ('tries' in data) onProgress(Math.min(1, data.tries / task.maxTries));
      else end('solution' in data ? data.solution : null);
    };
    worker.postMessage(task);
  });
}
