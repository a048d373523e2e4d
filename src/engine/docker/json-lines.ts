import { StringDecoder } from 'node:string_decoder';

/**
 * The JSON objects of a stream that holds one a line, as they come. Throws SyntaxError at a line that is none, a torn
 * last one included, and whatever the stream itself fails with.
 */
export async function* jsonLines<T>(stream: AsyncIterable<Uint8Array>): AsyncGenerator<T> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + decoder.write(Buffer.from(chunk))).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') yield JSON.parse(line) as T;
  }
  rest += decoder.end();
  if (rest.trim() !== '') yield JSON.parse(rest) as T;
}
