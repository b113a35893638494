/** For tests: a web process with many live pages on one sale; sends its parent its name once each has its first figures. */

import { setTimeout as delay } from 'node:timers/promises';
import { outlastStandstills } from '@/test/support/outlast-standstills';
import { joinLive } from '../join-live';
import { me } from '../live-feed';
import { openLivePage } from './open-live-page';

outlastStandstills();

const [saleId = '', merchantId = '', count = '1'] = process.argv.slice(2);
const pages = Array.from({ length: Number(count) }, () => openLivePage());
/** Opens a page; again where figures don't come in time, as on a busy machine. */
async function join({ openReader }: (typeof pages)[number]): Promise<void> {
  const merchant = { userId: merchantId, role: 'merchant' } as const;
  const asked = { actor: merchant, saleId, since: 0, openReader, identify: async () => merchant };
  const unavailable = async () => ({ status: 'unavailable' as const });
  while ((await joinLive(asked).catch(unavailable)).status !== 'joined') await delay(200);
}

await Promise.all(pages.map(join));
process.on('message', () => process.send?.(pages.map(({ samples }) => samples().map(({ at }) => at))));
process.send?.(me);
