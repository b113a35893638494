import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadMore } from './load-more';
import { refreshList } from './use-list';

const ENDPOINT = 'GET /api/admin/products';

/** Answers of the server that have not come yet: each is what the list was when it was asked. */
let answers: (() => void)[];
let rows: number[];
let client: QueryClient;
let list: ReturnType<typeof newList>;
let stop: () => void;

function newList() {
  return new InfiniteQueryObserver(client, {
    queryKey: [ENDPOINT, 'pages', {}],
    queryFn: ({ pageParam: from }) => {
      const page = rows.slice(from, from + 2);
      return new Promise<number[]>((resolve) => answers.push(() => resolve(page)));
    },
    initialPageParam: 0,
    getNextPageParam: (_, pages) => 2 * pages.length,
    retry: false,
  });
}

/** Lets the next answer come. */
async function answer(): Promise<void> {
  await vi.waitFor(() => expect(answers.length).toBeGreaterThan(0));
  answers.shift()?.();
  await new Promise((done) => setTimeout(done));
}

const shown = () => list.getCurrentResult().data?.pages.flat();

beforeEach(() => {
  [answers, rows, client] = [[], [1, 2, 3, 4], new QueryClient()];
  list = newList();
  stop = list.subscribe(() => {});
});
afterEach(() => stop());

it('[O11] a row that is made while the list loads for the first time is shown', async () => {
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  rows = [0, ...rows];
  const refreshed = refreshList(client, ENDPOINT);
  await answer();
  await answer();
  await refreshed;
  expect(shown()).toEqual([0, 1]);
});

it('[O11] who loads the next page while the list is refreshed sees what that was to show, and the page', async () => {
  await answer();
  expect(shown()).toEqual([1, 2]);
  rows = [0, ...rows];
  void refreshList(client, ENDPOINT);
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  const more = loadMore(list.getCurrentResult());
  await answer();
  await answer();
  await more;
  expect(shown()).toEqual([0, 1, 2, 3]);
});

it('[O11] otherwise the next page is all that is asked for', async () => {
  await answer();
  const more = loadMore(list.getCurrentResult());
  await answer();
  await more;
  expect(shown()).toEqual([1, 2, 3, 4]);
  expect(answers).toEqual([]);
});
