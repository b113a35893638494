import 'server-only';

/** The names of the settings that say where a process listens. */
type Listens = { host: string; port: string };
/** Fields that Node adds to the error of a server that can't listen. */
type ListenError = NodeJS.ErrnoException & { address?: string; hostname?: string; port?: number };

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

/** Says what an operator can do about an error; undefined: nothing. */
export function explain(error: unknown, listens: Listens): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.message.startsWith('These environment variables')) return error.message;
  const { code, syscall = '', address, hostname, port } = error as ListenError;
  // Connections that others refuse have the same codes.
  if (!['listen', 'bind', 'getaddrinfo'].includes(syscall)) return undefined;
  const host = address ?? hostname ?? 'every address';
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} at ${host} is taken: set ${listens.port} to another port.`;
    case 'EACCES':
      return `Port ${port} at ${host} is reserved for root: set ${listens.port} to a port from 1024 on.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine: correct ${listens.host}.`;
    default:
      return undefined;
  }
}
