import { checkedLookup, checkLiteral } from './reach.ts';

/** Limits of a download. */
export interface DownloadLimits {
  readonly maxBytes: number;
  /** Timeout of the complete download. */
  readonly timeoutMs: number;
  /** Also allows the operator's own network. */
  readonly allowsPrivate: boolean;
}

/** Downloads a document. Redirects are not followed, and the address is checked on connect.
 *  @throws {Error} naming the host and the reason, without the rest of the address, which may contain a secret */
export async function download(address: string, limits: DownloadLimits): Promise<Buffer> {
  const { protocol, hostname, host } = new URL(address);
  const reach = { allowsPrivate: limits.allowsPrivate, isEncrypted: protocol === 'https:' };
  const { Agent, fetch } = await import('undici');
  const ms = limits.timeoutMs;
  const connect = { lookup: checkedLookup(reach), timeout: ms };
  const agent = new Agent({ connect, headersTimeout: ms, bodyTimeout: ms, maxResponseSize: limits.maxBytes });
  try {
    checkLiteral(hostname, reach);
    const response = await fetch(address, { redirect: 'manual', dispatcher: agent, signal: AbortSignal.timeout(ms) });
    if (response.status !== 200) throw new Error(`it returned ${response.status}`);
    return await boundedBody(response.body ?? [], limits.maxBytes);
  } catch (error) {
    // oxlint-disable-next-line eslint/preserve-caught-error -- its code would look like an outage of the database
    throw new Error(`The download from ${host} failed: ${reasonOf(error)}`);
  } finally {
    await agent.destroy();
  }
}

/** Reads a body as it is after decompression, which the agent's limit does not count. */
async function boundedBody(body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not respond in time';
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
