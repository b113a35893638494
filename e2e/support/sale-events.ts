import { setTimeout as delay } from 'node:timers/promises';
import { baseUrl } from './base-url';
import { askAgain } from './client';
import { newSale } from './sales';

/** Follows a sale's events over plain HTTP, and again when the server ends the stream, as an EventSource does. */
export async function openEvents(saleId: string, secret?: string) {
  const controller = new AbortController();
  const open = () =>
    askAgain(() =>
      fetch(`${baseUrl}/api/sales/${saleId}/events`, {
        signal: controller.signal,
        headers: secret === undefined ? {} : { 'x-seckill-lane': secret },
      }),
    );
  const readerOf = ({ body }: Response) => body?.pipeThrough(new TextDecoderStream()).getReader();
  const response = await open();
  let reader = readerOf(response);
  let text = '';
  return {
    response,
    text: () => text,
    /** Reads until a state with one of these statuses has come. */
    async until(...statuses: string[]): Promise<Record<string, unknown>> {
      for (;;) {
        const events = [...text.matchAll(/^data: (\{.*\})\n\n/gm)].map(([, json = '']) => JSON.parse(json));
        const found = events.find((event) => statuses.includes(event.status));
        if (found) return found;
        const { value, done } = (await reader?.read()) ?? { done: true };
        if (!done) text += value;
        else {
          await delay(Number(/retry: (\d+)/.exec(text)?.[1]));
          reader = readerOf(await open());
        }
      }
    },
    close: () => controller.abort(),
  };
}

/**
 * Follows a sale that has not started. Begins with a start 2.5 s ahead; a busy machine may need longer to open the
 * stream, and then gets a later start.
 */
export async function openEventsEarly(secret?: string) {
  for (let aheadMs = 2_500; ; aheadMs *= 2) {
    const startsAt = Date.now() + aheadMs;
    const { saleId } = await newSale({ startsAt });
    const events = await openEvents(saleId, secret);
    const { status } = await events.until('scheduled', 'live');
    if (status === 'scheduled') return { events, startsAt };
    events.close();
  }
}
