/**
 * Answers with a file, piece by piece, one piece ahead of the reader. It stops when the reader hangs up. A failure in
 * the middle cuts the answer off, so that half a file does not pass for a whole one. (`Readable.toWeb` of Node 20
 * throws where no code can catch it if a reader hangs up between two pieces.)
 */
export function fileResponse(
  filename: string,
  mediaType: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Response {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done) controller.close();
        else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 1 },
  );
  return new Response(stream, {
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  });
}
