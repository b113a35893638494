const CHANNEL = 'seckill:session';
const SIGNED_OUT = 'signed-out';

/** Tells the other tabs of this browser that nobody is signed in any more. */
export function tellSignedOut(): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(SIGNED_OUT);
  channel.close();
}

/** Calls back when another tab has signed out. @returns what ends it */
export function onSignedOutElsewhere(callback: () => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data === SIGNED_OUT) callback();
  };
  return () => channel.close();
}
