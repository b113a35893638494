import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { whenOver } from './when-over';

function exchangeOn(socket: Socket) {
  const request = new IncomingMessage(socket);
  const response = new ServerResponse(request);
  const told: string[] = [];
  return { response, told, ask: (who: string) => whenOver(request, response, () => told.push(who)) };
}

describe('the end of an exchange', () => {
  it('[N11] is told to everybody once, by one listener of the answer', () => {
    const { response, told, ask } = exchangeOn(new Socket());
    for (const who of ['a', 'b', 'c']) ask(who);
    expect([response.listenerCount('close'), told]).toEqual([1, []]);
    response.emit('close');
    response.emit('close');
    expect(told).toEqual(['a', 'b', 'c']);
    ask('late');
    expect(told).toEqual(['a', 'b', 'c', 'late']);
  });

  it('[N11] comes for all of them when their connection breaks, and for each alone before', () => {
    const socket = new Socket();
    const [first, second, third] = [exchangeOn(socket), exchangeOn(socket), exchangeOn(socket)];
    for (const { ask } of [first, second, third]) ask('over');
    expect(socket.listenerCount('close')).toBe(1);
    second.response.emit('close');
    expect([first, second, third].map(({ told }) => told.length)).toEqual([0, 1, 0]);
    socket.emit('close');
    expect([first, second, third].map(({ told }) => told.length)).toEqual([1, 1, 1]);
  });
});
