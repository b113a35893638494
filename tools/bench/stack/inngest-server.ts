import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { spawnLogged } from '../../../scripts/infra/spawn-logged.mjs';
import type { Servers } from './servers';

/** The program of a real Inngest server, from `INNGEST_BIN`; without it the functions run on the embedded executor. */
export const inngestProgram = (): string | undefined => process.env.INNGEST_BIN || undefined;

/** Starts a real Inngest server in place of the embedded executor, with its data in the bench's folder. */
export function startInngestServer(
  program: string,
  { dir, logFile }: Servers,
  env: NodeJS.ProcessEnv,
  ports: { web: number; executor: number },
): ChildProcess {
  const flags = {
    host: '127.0.0.1',
    port: ports.executor,
    'event-key': env.INNGEST_EVENT_KEY,
    // Without its prefix: the server would count that as part of the key.
    'signing-key': env.INNGEST_SIGNING_KEY?.replace(/^signkey-\w+-/, ''),
    'sdk-url': `http://127.0.0.1:${ports.web}/api/inngest`,
    'sqlite-dir': join(dir, 'inngest'),
    'poll-interval': 2,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawnLogged(program, ['start', '--no-ui', ...args], { cwd: dir, env, logFile: logFile('inngest') });
}
