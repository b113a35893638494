import { once } from 'node:events';
import { connect } from 'node:net';
import type { Servers } from './lend-servers';

/**
 * Borrows servers for this process alone until it ends: the connection is never closed.
 * @param port where `lendServers` listens
 */
export async function borrowServers(port: number): Promise<Servers> {
  const socket = connect(port, '127.0.0.1');
  const [answer] = await once(socket, 'data');
  socket.unref();
  const servers: Servers | { error: string } = JSON.parse(String(answer));
  if ('error' in servers) throw new Error(servers.error);
  return servers;
}
