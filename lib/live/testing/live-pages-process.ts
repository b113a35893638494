/** For tests: a web process with many live pages on one sale; sends its parent its name once each has its first figures. */
import { joinLive } from '../join-live';
import { me } from '../live-feed';
import { openLivePage } from './open-live-page';

const [saleId = '', merchantId = '', count = '1'] = process.argv.slice(2);
const pages = Array.from({ length: Number(count) }, () => openLivePage());
await Promise.all(
  pages.map(({ openReader }) =>
    joinLive({
      actor: { userId: merchantId, role: 'merchant' },
      saleId,
      since: 0,
      openReader,
      identify: async () => ({ userId: merchantId, role: 'merchant' }),
    }),
  ),
);
process.on('message', () => process.send?.(pages.map(({ ats }) => ats())));
process.send?.(me);
