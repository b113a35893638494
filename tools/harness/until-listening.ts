import { connect } from 'node:net';
import { until } from './until';

/** Waits until a server on this machine takes connections. @throws Error with its name after `withinMs` */
export const untilListening = (name: string, port: number, withinMs: number): Promise<void> =>
  until(`${name} answers`, () => isListening(port), { withinMs, everyMs: 20 });

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
