'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '@/components/api/request';
import { useRefreshLists } from '@/components/api/use-list';
import type { Reconciliation } from '@/lib/contract/shapes/reconcile';
import type { DifferenceKind } from '@/lib/contract/words/reconcile';
import { useAction } from '../kit/use-action';

const EVERY_MS = 10_000;
const EVERY_MS_MEANWHILE = 500;
/** Bounds the wait for a reconciliation. A large sale takes a while, and a second reconciliation waits for the first. */
const RUN_WITHIN_MS = 60_000;

/** Loads the last report of a sale, or an earlier one that the user looks at, and reconciles the sale again. */
export function useReconciliation(saleId: string) {
  const client = useQueryClient();
  const refreshLists = useRefreshLists();
  /** The id of the earlier report that the user looks at; null: the last one. */
  const [earlier, setEarlier] = useState<string | null>(null);
  const chosen = useQuery({
    queryKey: ['reconcile-report', saleId, earlier],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/reconcile/reports/{reportId}', {
        params: { saleId, reportId: earlier ?? '' },
        signal,
      }),
    enabled: earlier !== null,
  });
  const run = useAction('POST /api/admin/sales/{saleId}/reconcile', {
    onDone: (report) => {
      setEarlier(null);
      client.setQueryData<Reconciliation>(['reconcile-last', saleId], { report, progress: null });
    },
    refresh: () => {
      void client.invalidateQueries({ queryKey: ['reconcile-reports'] });
      refreshLists('GET /api/admin/reconciliations');
    },
  });
  const last = useQuery({
    queryKey: ['reconcile-last', saleId],
    queryFn: ({ signal }) =>
      request('GET /api/admin/sales/{saleId}/reconcile', { params: { saleId }, signal }),
    refetchInterval: run.isPending ? EVERY_MS_MEANWHILE : EVERY_MS,
    retry: false,
  });
  return {
    earlier,
    setEarlier,
    run,
    last,
    report: earlier === null ? last.data?.report : chosen.data?.report,
    /** @param kinds which differences to repair; none if left out */
    start: (kinds?: DifferenceKind[]) =>
      run.mutate({
        params: { saleId },
        body: kinds ? { repair: true, kinds } : {},
        timeoutMs: RUN_WITHIN_MS,
      }),
  };
}
