import 'server-only';
import { log } from '@/lib/http/log';
import { channels } from '@/lib/redis/keys';
import { subscribe } from '@/lib/redis/subscribe';
import { pagesInFooter } from '@/lib/site-page/pages-in-footer';
import { localPages } from './page-changes';

type Renewal = { paths: string[]; isLocal: true; isAll?: boolean };

/**
 * Renews this process's pages when another web process has renewed its own: Next keeps rendered pages in memory, so
 * every process needs the message. After a broken connection it renews all pages, because it can't know which
 * messages it missed.
 * @param renew asks this process's own Next.
 */
export function followPageChanges(renew: (renewal: Renewal) => Promise<void>): void {
  const attempt = (renewal: Renewal) => {
    renew(renewal).catch((err: unknown) => log.warn({ err, paths: renewal.paths }, 'pages were not renewed'));
  };
  let isFirst = true;
  subscribe(channels.pagesChanged, {
    onMessage(message) {
      const { from, paths, isAll } = JSON.parse(message) as { from: string; paths: string[]; isAll?: true };
      if (from !== localPages().id) attempt({ paths, isLocal: true, ...(isAll ? { isAll } : {}) });
    },
    onGap() {
      // The first connection: Next has not rendered any page yet that could be old.
      if (isFirst) isFirst = false;
      else attempt({ paths: [], isLocal: true, isAll: true });
    },
  });
  // What the build made knew no database: its footers link to none of the shop's own pages.
  void pagesInFooter().then((linked) => {
    if (linked.length > 0) attempt({ paths: [], isLocal: true, isAll: true });
  });
}
