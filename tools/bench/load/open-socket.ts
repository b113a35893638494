import { connect, type Socket } from 'node:net';

/** All connections share it: what has come is read before the next one reads. */
const READ_INTO = Buffer.allocUnsafe(64 * 1024);

/**
 * Opens a connection that reads without Node's streams: with ten thousand of them these took most of the generator's
 * time, and people saw late what had come long ago.
 * @param read gets bytes that are gone when it returns
 * @param localAddress of the loopback network, so that people count as different clients
 */
export const openSocket = (port: number, read: (bytes: Buffer) => void, localAddress?: string): Socket =>
  connect({
    port,
    host: '127.0.0.1',
    localAddress,
    noDelay: true,
    onread: {
      buffer: READ_INTO,
      callback: (count) => {
        read(READ_INTO.subarray(0, count));
        return true;
      },
    },
  });
