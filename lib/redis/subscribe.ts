import 'server-only';
import { subscriberRedis } from './client';

export type Subscription = {
  /** Tells whether every message published from now on will arrive; false during a reconnect. */
  isListening: () => boolean;
};

type Handlers = {
  onMessage: (message: string) => void;
  /** The connection broke and messages may be missing: all that was kept because none came is void. */
  onGap?: () => void;
};

/**
 * Listens to a Redis channel on a connection of its own, until the process ends or `closeRedis` closes it. Redis delivers at
 * most once: a listener must bear missing messages, and `onGap` tells it of gaps.
 */
export function subscribe(channel: string, { onMessage, onGap }: Handlers): Subscription {
  let isListening = false;
  const redis = subscriberRedis();
  redis.on('ready', () => {
    redis.subscribe(channel).then(
      () => {
        // Messages between the break and now did not reach us.
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
