import { connect } from 'node:net';

const TIMEOUT_MS = 120_000;

/** Encodes one command in Redis's protocol. */
export function encodeCommand(words: readonly (string | number)[]): string {
  const parts = words.map((word) => {
    const text = String(word);
    return `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
  });
  return `*${words.length}\r\n${parts.join('')}`;
}

/**
 * Sends prepared commands over one connection, `depth` at a time, and waits for their replies (numbers, statuses,
 * texts). Shows how fast Redis is when nothing else limits it.
 * @returns the time it took in ms. @throws on the first error reply.
 */
export async function runPipeline(
  redisUrl: string,
  commands: readonly string[],
  depth = 500,
): Promise<number> {
  const { hostname, port } = new URL(redisUrl);
  const batches: Buffer[] = [];
  for (let i = 0; i < commands.length; i += depth) {
    batches.push(Buffer.from(commands.slice(i, i + depth).join('')));
  }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('Redis does not answer')), TIMEOUT_MS);
      let replies = 0;
      let sent = 0;
      let line = '';
      /** Bytes of a text still to come, including its line end. */
      let skip = 0;
      const from = performance.now();
      // Sends two batches ahead, so the server always has the next one and buffers stay small.
      const push = () => {
        while (sent < batches.length && sent * depth < replies + 2 * depth) {
          socket.write(batches[sent] ?? '');
          sent += 1;
        }
      };
      socket.once('error', reject);
      socket.once('connect', push);
      socket.on('data', (chunk: Buffer) => {
        for (let i = 0; i < chunk.length; ) {
          const skipped = Math.min(skip, chunk.length - i);
          skip -= skipped;
          i += skipped;
          if (i === chunk.length) break;
          const end = chunk.indexOf(10, i);
          line += chunk.toString('latin1', i, end === -1 ? chunk.length : end);
          if (end === -1) break;
          if (line.startsWith('-')) reject(new Error(line.slice(0, 120)));
          if (line.startsWith('$')) skip = Number(line.slice(1)) + 2;
          line = '';
          replies += 1;
          i = end + 1;
        }
        if (replies < commands.length || skip > 0) push();
        else {
          clearTimeout(timer);
          resolve(performance.now() - from);
        }
      });
    });
  } finally {
    socket.destroy();
  }
}
