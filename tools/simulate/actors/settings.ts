import { SALE_ID, type World } from '../world';

const MERCHANT = { userId: 'merchant', role: 'merchant' } as const;
const ASKS = 4;

/** Plays the merchant who pauses a sale for a while, and sometimes closes it for good. */
export async function runSettings(world: World): Promise<void> {
  const random = world.random.fork('settings');
  const set = async (name: string, ask: () => Promise<{ status: string } | null>) => {
    for (let nth = 1; nth <= ASKS; nth += 1) {
      const result = await ask();
      world.count(`${name} ${result?.status ?? 'no answer'}`);
      if (result) return;
      await world.time.sleep(1_000);
    }
  };
  const pause = (paused: boolean) => world.request((web) => web.api.setSalePaused(MERCHANT, SALE_ID, paused));
  for (let nth = random.int(0, 2); nth > 0; nth -= 1) {
    await world.time.sleep(random.next() * 10_000);
    await set('pause', () => pause(true));
    await world.time.sleep(random.next() * 5_000);
    await set('resume', () => pause(false));
  }
  if (!random.chance(0.25)) return;
  await world.time.sleep(random.next() * 15_000);
  await set('close', () => world.request((web) => web.api.closeSale(MERCHANT, SALE_ID)));
}
