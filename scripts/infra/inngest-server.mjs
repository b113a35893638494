import { join } from 'node:path';
import { spawnLogged } from './spawn-logged.mjs';

/** The program of a real Inngest server, from `INNGEST_BIN`. Without it the functions run on the embedded executor. */
export const inngestProgram = () => process.env.INNGEST_BIN || undefined;

/**
 * Starts a real Inngest server in place of the embedded executor, with its data in `dir`.
 * @param {string} program
 * @param {{ dir: string, port: number, appOrigin: string, eventKey: string, signingKey: string, logFile: string }} options
 *   `appOrigin`: where the app serves `/api/inngest`
 */
export function startInngestServer(program, { dir, port, appOrigin, eventKey, signingKey, logFile }) {
  const flags = {
    host: '127.0.0.1',
    port,
    'event-key': eventKey,
    // The prefix goes: the server would count it as part of the key.
    'signing-key': signingKey.replace(/^signkey-\w+-/, ''),
    'sdk-url': `${appOrigin}/api/inngest`,
    'sqlite-dir': join(dir, 'inngest'),
    'poll-interval': 2,
  };
  const args = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  return spawnLogged(program, ['start', '--no-ui', ...args], { cwd: dir, logFile });
}
