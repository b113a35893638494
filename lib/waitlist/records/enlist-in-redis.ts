import 'server-only';
import { stockRedis } from '@/lib/redis/client';
import { keys } from '@/lib/redis/keys';
import { runScript } from '@/lib/redis/run-script';
import { parsePlace } from './parse-place';
import type { Place } from './types';

const SCRIPT = 'enlist-4';

type Asked = Pick<Place, 'userId' | 'jti' | 'orderNo' | 'variant'>;

type EnlistResult =
  /** `places` of those who wait now; `settled` others have the unit of their order number, or had it. */
  | { status: 'enlisted'; places: Place[]; settled: number }
  | { status: 'unknown_sale' | 'stale_epoch' | 'no_waitlist' };

/** Puts at most 1,000 people behind all who wait. Repeating it answers the same. @throws connection errors */
export async function enlistInRedis(
  { saleId, epoch }: { saleId: string; epoch: number },
  people: readonly Asked[],
): Promise<EnlistResult> {
  const reply = await runScript(
    stockRedis(),
    SCRIPT,
    [keys.sale(saleId), keys.buyers(saleId), keys.waitlist(saleId), keys.places(saleId)],
    [epoch, ...people.map(({ userId, jti, orderNo, variant }) => `${userId} ${jti} ${orderNo} ${variant}`)],
  );
  const [status, ...answers] = reply;
  switch (status) {
    case 'enlisted': {
      if (answers.length !== people.length)
        throw new Error(`${SCRIPT} gave ${answers.length} places to ${people.length}`);
      const places = answers.flatMap((text, at) => {
        if (text === '-') return [];
        const { state: _, ...place } = parsePlace(text);
        return [{ saleId, userId: (people[at] as Asked).userId, ...place }];
      });
      return { status, places, settled: people.length - places.length };
    }
    case 'unknown_sale':
    case 'stale_epoch':
    case 'no_waitlist':
      return { status };
    default:
      throw new Error(`${SCRIPT} answered ${JSON.stringify(reply.slice(0, 3))}`);
  }
}
