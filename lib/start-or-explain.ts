import 'server-only';

/** Where a process listens, by the names of the settings that say so. */
type Listens = { host: string; port: string };

/** What an operator can put right when a process can't listen. */
const REASONS: Record<string, (at: string, listens: Listens) => string> = {
  EADDRINUSE: (at, { port }) => `${at} is taken: set ${port} to another port.`,
  EACCES: (at, { port }) => `${at} is reserved for root: set ${port} to a port from 1024 on.`,
  EADDRNOTAVAIL: (at, { host }) => `${at} is no address of this machine: correct ${host}.`,
  ENOTFOUND: (at, { host }) => `${at} is no address of this machine: correct ${host}.`,
};

/**
 * Starts a process. What its operator can put right, a setting or a port, ends it with one sentence on standard error
 * and exit code 1; any other error is a bug and keeps its stack.
 * @param listens the settings that say where it listens
 */
export async function startOrExplain(listens: Listens, start: () => Promise<unknown>): Promise<void> {
  try {
    await start();
  } catch (error) {
    const said = explain(error, listens);
    if (said === undefined) throw error;
    console.error(said);
    process.exit(1);
  }
}

function explain(error: unknown, listens: Listens): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith('These environment variables')) return error.message;
  const { code = '', syscall, address, hostname, port } = error as NodeJS.ErrnoException & Listening;
  // The same codes come from connections that others refuse.
  const isOurs = syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo';
  const host = address ?? hostname ?? 'every address';
  return isOurs ? REASONS[code]?.(`Port ${port ?? ''} at ${host}`.replace('  ', ' '), listens) : undefined;
}

/** What Node adds to an error of a server that can't listen. */
type Listening = { address?: string; hostname?: string; port?: number };
