/** For tests: a web process with many desks open on one sale; says what it is called when each has its first figures. */
import { joinLive } from '../join-live';
import { openDesk } from './open-desk';

const [saleId = '', merchantId = '', count = '1'] = process.argv.slice(2);
const desks = Array.from({ length: Number(count) }, () => openDesk());
await Promise.all(
  desks.map(({ openReader }) =>
    joinLive({
      actor: { userId: merchantId, role: 'merchant' },
      saleId,
      since: 0,
      openReader,
      identify: async () => ({ userId: merchantId, role: 'merchant' }),
    }),
  ),
);
process.on('message', () => process.send?.(desks.map(({ samples }) => samples().map(({ at }) => at))));
process.send?.((globalThis as { seckillLive?: { me: string } }).seckillLive?.me);
