import { QueryClient } from '@tanstack/react-query';
import { expect, it, vi } from 'vitest';
import { refreshSession } from './use-session';

it('[L3] who is signed in is unknown while the shop cannot be asked, whatever was known before', async () => {
  const client = new QueryClient();
  expect(await refreshSession(client)).toBeNull();
  const ask = vi.fn().mockResolvedValue({});
  await client.fetchQuery({ queryKey: ['session'], queryFn: ask, retry: false });
  expect(await refreshSession(client)).toBe(false);
  ask.mockRejectedValue(new Error('nobody answers'));
  expect(await refreshSession(client)).toBeNull();
  ask.mockResolvedValue({ user: { id: '1' } });
  expect(await refreshSession(client)).toBe(true);
});
