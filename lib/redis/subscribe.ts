import 'server-only';
import { subscriberRedis } from './client';

export type Subscription = {
  /** Whether every message published from now on will arrive; false while the connection is being made again. */
  isListening: () => boolean;
};

type Handlers = {
  onMessage: (message: string) => void;
  /** The connection broke: messages may have been missed, so whatever was kept because of none coming is void. */
  onGap?: () => void;
};

/**
 * Listens to a Redis channel on a connection of its own, for as long as the process lives or until `closeRedis`.
 * Redis delivers at most once: a listener must bear missing messages, and learns of gaps by `onGap`.
 */
export function subscribe(channel: string, { onMessage, onGap }: Handlers): Subscription {
  let isListening = false;
  const redis = subscriberRedis();
  redis.on('ready', () => {
    redis.subscribe(channel).then(
      () => {
        // What was published between the break and now did not reach us.
        onGap?.();
        isListening = true;
      },
      () => {},
    );
  });
  redis.on('close', () => {
    isListening = false;
    onGap?.();
  });
  redis.on('message', (from, message) => {
    if (from === channel) onMessage(message);
  });
  return { isListening: () => isListening };
}
