import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sessionCookieName } from '@/lib/account/sessions/session-token';
import { bundleProcess } from './bundle-process';

type Answer = { status: number; retryAfter: number; code?: string; kind?: string };

export type SideFeaturesProcess = {
  /** Asks for `/NAME?saleId=…`, as a page of ours does. @param session from `sessionOf` */
  ask: (path: string, session: string, method?: string) => Promise<Answer>;
  stop: () => void;
};

/** For tests: starts `side-features-process.ts` on this test file's servers. */
export async function startSideFeatures(): Promise<SideFeaturesProcess> {
  const child = fork(await bundleProcess(join(import.meta.dirname, 'side-features-process.ts')), {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  return {
    async ask(path, session, method = 'GET') {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: {
          cookie: `${sessionCookieName()}=${session}`,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
        },
      });
      const body = (await answer.json()) as object;
      return { status: answer.status, retryAfter: Number(answer.headers.get('retry-after')), ...body };
    },
    stop: () => child.kill('SIGKILL'),
  };
}
