/** Redis or Postgres may be gone while the process stops: giving back what it holds must not take longer. */
const RELEASE_WITHIN_MS = 1_000;

/** Gives back what this process holds, within a second, and ends it. */
export async function endProcess(release: () => Promise<unknown>): Promise<never> {
  await Promise.race([release(), new Promise((resolve) => setTimeout(resolve, RELEASE_WITHIN_MS))]);
  process.exit(0);
}

/** Runs `stop` at the first SIGTERM or SIGINT; later ones change nothing. */
export function onStopSignal(stop: (signal: string) => Promise<unknown>): void {
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      void stop(signal);
    });
  }
}
