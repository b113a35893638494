import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

export type SmtpServer = {
  url: string;
  /** Messages received, headers included. */
  mails: string[];
  /** Its answer to `MAIL FROM`; default 250. */
  fromAnswer: string;
  /** Its answer to `RCPT TO`; default 250. */
  rcptAnswer: string;
  /** Its answer to a mail's content; default 250. */
  dataAnswer: string;
  stop(): Promise<void>;
};

/** For tests: starts the part of a mail server (RFC 5321) that is enough to take one mail after another. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const state: SmtpServer = {
    url: '',
    mails: [],
    fromAnswer: '250 ok',
    rcptAnswer: '250 ok',
    dataAnswer: '250 taken',
    stop: async () => {},
  };
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    serve(socket, state);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  state.stop = async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return state;
}

function serve(socket: Socket, state: SmtpServer): void {
  let input = '';
  let isData = false;
  const say = (line: string) => socket.write(`${line}\r\n`);
  say('220 test');
  socket.setEncoding('utf8').on('data', (text: string) => {
    input += text;
    for (;;) {
      const end = input.indexOf(isData ? '\r\n.\r\n' : '\r\n');
      if (end < 0) return;
      const part = input.slice(0, end);
      input = input.slice(end + (isData ? 5 : 2));
      if (isData) {
        isData = false;
        if (state.dataAnswer.startsWith('2')) state.mails.push(part);
        say(state.dataAnswer);
      } else if (/^MAIL/i.test(part)) say(state.fromAnswer);
      else if (/^RCPT/i.test(part)) say(state.rcptAnswer);
      else if (/^DATA/i.test(part)) {
        isData = true;
        say('354 go on');
      } else if (/^QUIT/i.test(part)) socket.end('221 bye\r\n');
      else say('250 ok');
    }
  });
}
