import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ObjectBody, receive, type Transfer } from '../../../src/providers/storage/transfer.ts';

const content = Buffer.from('0123456789');
const signal = new AbortController().signal;

/** Returns one response after the other. */
function transferOf(...answers: ((offset: number) => ObjectBody)[]): Transfer & { asked: number[] } {
  const asked: number[] = [];
  return {
    what: 'Object "a"',
    sizeBytes: content.length,
    asked,
    async open(offset) {
      asked.push(offset);
      const answer = answers.shift();
      if (!answer) throw new Error('No response is left');
      return answer(offset);
    },
  };
}

async function received(transfer: Transfer, stallMs = 60_000): Promise<string> {
  const chunks: Buffer[] = [];
  await receive(transfer, async (chunk) => void chunks.push(chunk), signal, stallMs);
  return Buffer.concat(chunks).toString();
}

const rest = (offset: number): ObjectBody => ({
  body: Readable.from([content.subarray(offset)]),
  from: offset,
  length: content.length - offset,
});
const whole = (): ObjectBody => rest(0);
/** Sends some bytes, then stalls. */
const stalling = (): ObjectBody => {
  const body = new Readable({ read: () => {} });
  body.push(content.subarray(0, 4));
  return { body, from: 0, length: 10 };
};

describe('transfer', () => {
  it('that stalls is resumed where it stopped', async () => {
    const transfer = transferOf(stalling, rest);
    expect(await received(transfer, 50)).toBe('0123456789');
    expect(transfer.asked).toEqual([0, 4]);
  });

  it('from a store without ranges skips the bytes received before', async () => {
    expect(await received(transferOf(stalling, whole), 50)).toBe('0123456789');
  });

  it('that ends early without a Content-Length is resumed', async () => {
    const short = (): ObjectBody => ({ body: Readable.from([content.subarray(0, 3)]), from: 0, length: null });
    expect(await received(transferOf(short, rest))).toBe('0123456789');
  });

  it.each([
    ['more bytes', { body: Readable.from([content, content]), from: 0, length: null }, /more than the 10 bytes/],
    [
      'another length',
      { body: Readable.from([content]), from: 0, length: 7 },
      /returned 7 bytes from byte 0 on, unlike its listing/,
    ],
    ['a later range', { body: Readable.from([content]), from: 3, length: 7 }, /from byte 3 on/],
  ])('of %s than listed is rejected', async (_what, answer, message) => {
    await expect(received(transferOf(() => answer))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(message),
    });
  });

  it('passes other errors on', async () => {
    const broken = new Readable({ read: (): void => void broken.destroy(new RangeError('other')) });
    await expect(received(transferOf(() => ({ body: broken, from: 0, length: 10 })))).rejects.toThrow(RangeError);
  });

  it('stops when writing fails', async () => {
    const full = receive(
      transferOf(whole),
      async () => {
        throw new Error('ENOSPC');
      },
      signal,
    );
    await expect(full).rejects.toThrow('ENOSPC');
  });
});
