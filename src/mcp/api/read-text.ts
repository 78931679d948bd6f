/** There is more of an answer than we take. */
export class TooLong extends Error {}

/** The body of an answer as text.
 *  @throws {TooLong} beyond `maxBytes`, without reading on */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new TooLong(`larger than ${maxBytes} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
