'use client';

import { focusManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem, isSwitchedOff, isWorthRetrying } from '@/components/api/api-problem';
import { backoffMs, RETRY } from '@/components/api/backoff';
import { onReturn } from '@/components/clock/on-return';
import { WatchSession } from '@/components/session/watch-session';

function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Browsers are often wrong about being offline; a failed request tells more reliably.
        networkMode: 'always',
        staleTime: 5000,
        retry: (failures, error) => failures < 3 && isWorthRetrying(error) && !isSwitchedOff(error),
        retryDelay: (failures, error) =>
          backoffMs(RETRY, failures + 1, error instanceof ApiProblem ? error.retryAfterMs : null),
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

export function Providers({ children }: { children: ReactNode }) {
  const [client] = useState(createQueryClient);
  // Also when the device wakes up, of which a page that was visible all the time gets no event.
  useEffect(() => focusManager.setEventListener((look) => onReturn(() => look())), []);
  return (
    <QueryClientProvider client={client}>
      <WatchSession />
      {children}
    </QueryClientProvider>
  );
}
