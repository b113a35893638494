import { fetchJson } from '@/components/api/fetch-json';
import type { SessionView } from '@/lib/account/sessions/list-sessions';

const ACCOUNT = '/api/account';

export type { SessionView };

export const getSessions = (signal?: AbortSignal) =>
  fetchJson<{ sessions: SessionView[] }>(`${ACCOUNT}/sessions`, { signal, cache: 'no-store' });

export const postEndSession = (sessionId: string) =>
  fetchJson<unknown>(`${ACCOUNT}/sessions/${encodeURIComponent(sessionId)}/end`, {
    method: 'POST',
    body: {},
  });

export const postSignOutEverywhere = () =>
  fetchJson<unknown>(`${ACCOUNT}/sessions/end`, { method: 'POST', body: {} });

export const postPassword = (body: { currentPassword: string; newPassword: string }) =>
  fetchJson<unknown>(`${ACCOUNT}/password`, { method: 'POST', body, timeoutMs: 20_000 });
