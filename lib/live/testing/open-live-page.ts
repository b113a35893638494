import type { Live, LivePoint } from '@/lib/contract/shapes/live';
import type { LiveReader } from '../join-live';

export type Sample = Live & { points: LivePoint[] };

/** For tests: opens a live page that keeps the events it gets. */
export function openLivePage() {
  let text = '';
  const ats: number[] = [];
  let state: 'open' | 'ended' | 'dropped' = 'open';
  let leave = () => {};
  const openReader = (): LiveReader => ({
    send(bytes) {
      const event = bytes.toString();
      text += event;
      const [, at] = /^id: (\d+)$/m.exec(event) ?? [];
      if (at) ats.push(Number(at));
      return true;
    },
    end() {
      state = 'ended';
    },
    drop() {
      state = 'dropped';
    },
    whenGone(told) {
      leave = told;
    },
  });
  return {
    openReader,
    text: () => text,
    state: () => state,
    /** When the figures that it got were counted, epoch ms. */
    ats: () => ats,
    samples: () =>
      [...text.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json) as Sample),
    leave: () => leave(),
  };
}
