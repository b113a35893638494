const CHANNEL = 'seckill:session';
const SIGNED_OUT = 'signed-out';

/** Tells the other tabs of this browser that the user has signed out. */
export function tellSignedOut(): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(SIGNED_OUT);
  channel.close();
}

/** Calls `callback` when the user has signed out in another tab. @returns a function that ends it */
export function onSignedOutElsewhere(callback: () => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === SIGNED_OUT) callback();
  };
  return () => channel.close();
}
