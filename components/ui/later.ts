import { type ComponentType, lazy } from 'react';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { delay } from './delay';

/**
 * Makes a component whose code is no part of the page's first load: the browser fetches it when it is first shown, or
 * when `load` is called before. A bad connection delays it and breaks nothing: the browser asks until it has it.
 * Needs <Suspense> around it.
 */
export function later<Props>(fetchCode: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | null = null;
  const load = () => {
    loading ??= untilFetched(fetchCode);
    return loading;
  };
  return Object.assign(lazy(load), { load });
}

async function untilFetched<Props>(fetchCode: () => Promise<ComponentType<Props>>) {
  for (let failures = 1; ; failures += 1) {
    try {
      return { default: await fetchCode() };
    } catch {
      await delay(backoffMs(RETRY, failures), new AbortController().signal);
    }
  }
}
