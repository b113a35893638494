import 'server-only';
import { log } from '@/lib/http/log';
import { channels } from '@/lib/redis/keys';
import { subscribe } from '@/lib/redis/subscribe';
import { localPages } from './page-changes';

type Renewal = { paths: string[]; isLocal: true; isAll?: boolean };

/**
 * Renews this process's pages when another web process has renewed its own: Next keeps rendered pages in memory, so each
 * process has to be told. After a break of the connection everything is renewed, for nobody knows what was missed.
 * @param renew asks this very process's Next.
 */
export function followPageChanges(renew: (renewal: Renewal) => Promise<void>): void {
  const attempt = (renewal: Renewal) => {
    renew(renewal).catch((err: unknown) => log.warn({ err, paths: renewal.paths }, 'pages were not renewed'));
  };
  let isFirst = true;
  subscribe(channels.pagesChanged, {
    onMessage(message) {
      const { from, paths } = JSON.parse(message) as { from: string; paths: string[] };
      if (from !== localPages().id) attempt({ paths, isLocal: true });
    },
    onGap() {
      // The first connection: nothing has been rendered yet that could be old.
      if (isFirst) isFirst = false;
      else attempt({ paths: [], isLocal: true, isAll: true });
    },
  });
}
