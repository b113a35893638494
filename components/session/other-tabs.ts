const CHANNEL = 'seckill:session';

/** News for all tabs of this browser: the user has signed out, or the shop has changed the account or its sessions. */
type SessionNews = 'signed-out' | 'changed';

/** Tells every tab of this browser, this one too. */
export function tellTabs(news: SessionNews): void {
  if (!('BroadcastChannel' in globalThis)) return;
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(news);
  channel.close();
}

/** Calls `callback` with what any tab of this browser has told. @returns a function that ends it */
export function onSessionNews(callback: (news: SessionNews) => void): () => void {
  if (!('BroadcastChannel' in globalThis)) return () => {};
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => callback(data);
  return () => channel.close();
}
