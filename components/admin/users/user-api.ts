import { fetchJson } from '@/components/api/fetch-json';
import type { Role, StaffRole } from '@/lib/account/roles';

export interface UserView {
  userId: string;
  email: string;
  name: string;
  role: Role;
  level: number;
  createdAt: number;
  emailVerifiedAt: number | null;
  bannedAt: number | null;
}

export interface UserPage {
  users: UserView[];
  nextCursor: string | null;
}

export const NO_FILTER = { search: '', role: '', state: 'all' };
export type UserFilter = typeof NO_FILTER;

const USERS = '/api/admin/users';
const user = (userId: string) => `${USERS}/${encodeURIComponent(userId)}`;

export const getUsers = (filter: UserFilter, cursor: string | null, signal?: AbortSignal) =>
  fetchJson<UserPage>(`${USERS}?${new URLSearchParams({ ...filter, cursor: cursor ?? '' })}`, {
    signal,
    cache: 'no-store',
  });

export const patchUser = ({ userId, role, level }: UserView, change: { role: Role; level: number }) =>
  fetchJson<UserView>(user(userId), { method: 'PATCH', body: { ...change, before: { role, level } } });

export const postInvitation = (body: { email: string; role: StaffRole }) =>
  fetchJson<{ url: string; expiresAt: number }>('/api/admin/invitations', { method: 'POST', body });

export const postRevoke = (userId: string) =>
  fetchJson<UserView>(`${user(userId)}/revoke-sessions`, { method: 'POST', body: {} });

export const postBan = (userId: string, reason: string) =>
  fetchJson<UserView>(`${user(userId)}/ban`, { method: 'POST', body: { reason } });

export const postUnban = (userId: string) =>
  fetchJson<UserView>(`${user(userId)}/unban`, { method: 'POST', body: {} });
