import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { request } from '@/components/api/request';
import type { PushState } from '@/lib/contract/shapes/push';

const KEY = ['push'];
const WORKER = '/push-worker.js';

/** What stands between this browser and messages; `on` and `off` can be changed by a press. */
export type PushStanding = 'on' | 'off' | 'blocked' | 'unsupported' | 'unavailable';

/** Tells whether this browser takes the shop's messages, and turns them on and off. */
export function usePush() {
  const client = useQueryClient();
  const query = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => standingOf(await request('GET /api/account/push', { signal })),
  });
  const refresh = () => client.invalidateQueries({ queryKey: KEY });
  const turnOn = useMutation({ mutationFn: subscribe, onSettled: refresh });
  const turnOff = useMutation({ mutationFn: unsubscribe, onSettled: refresh });
  return { ...query, turnOn, turnOff };
}

async function standingOf({ publicKey, endpoint }: PushState): Promise<PushStanding> {
  if (publicKey === null) return 'unavailable';
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window))
    return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await registration?.pushManager.getSubscription();
  return subscription && subscription.endpoint === endpoint ? 'on' : 'off';
}

/** Asks the visitor, the browser and the shop, in this order. Where the visitor says no, nothing is asked further. */
async function subscribe(): Promise<void> {
  if ((await Notification.requestPermission()) !== 'granted') return;
  const { publicKey } = await request('GET /api/account/push', {});
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One that was made for another key of the shop can't be used any more.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await request('POST /api/account/push', { body: made.toJSON() as never });
}

/** The shop first: what it no longer sends, the browser need not refuse. */
async function unsubscribe(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription) return;
  await request('POST /api/account/push/remove', { body: { endpoint: subscription.endpoint } });
  await subscription.unsubscribe();
}
