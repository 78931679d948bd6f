import { readdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import path from 'node:path';
import { aLine, csvOf, type FocusRow } from '../../support/focus.ts';
import type { Answered } from '../../support/world.ts';
import { anAccounting, type AccountBody, type Accounting } from '../accounts/world.ts';

/** An uploaded file in REST responses. */
export interface FileBody {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly size_bytes: number;
  readonly sha256: string;
  readonly billing_months: string[] | null;
  readonly created_by: string;
  readonly created_at: string;
}

/** An account that takes uploads. */
export interface Uploads extends Accounting {
  readonly accountId: string;
  upload<Body = FileBody>(name: string, bytes: Buffer<ArrayBuffer> | string, type?: string): Promise<Answered<Body>>;
  files(): Promise<FileBody[]>;
  /** The billed cost of each month, after all queued syncs. */
  months(): Promise<Record<string, number>>;
  /** Temporary files of uploads. */
  leftovers(): string[];
}

/** A CSV file with one charge. */
export const bill = (day: string, cost: string, more: FocusRow = {}) => csvOf([aLine({ day, cost, ...more })]);

export const gzipped = (text: string): Buffer<ArrayBuffer> => Buffer.from(gzipSync(text));

/** A signed-in organization with an account of uploads, and a worker. */
export async function someUploads(settings: object = { source: 'uploads' }): Promise<Uploads> {
  const it = await anAccounting();
  const connected = await it.call<AccountBody>('POST', '/accounts', { name: 'Bills', provider: 'focus', settings });
  if (connected.status !== 201) throw new Error(`Connecting answered ${connected.status}: ${connected.text}`);
  const accountId = connected.body.id;
  await it.work();
  return {
    ...it,
    accountId,
    upload: (name, bytes, type = 'application/octet-stream') =>
      it.rest('POST', `/accounts/${accountId}/files?name=${encodeURIComponent(name)}`, {
        token: it.token,
        raw: bytes,
        headers: { 'content-type': type },
      }),
    async files() {
      const { body } = await it.call<{ data: FileBody[] }>('GET', `/accounts/${accountId}/files?sort_by=created_at`);
      return body.data;
    },
    async months() {
      await it.until(accountId, 'succeeded', 'failed');
      const { rows } = await it.deps.pool.query<{ month: string; billed: string }>(
        `SELECT to_char(period, 'YYYY-MM') AS month, (totals->0->>'billed')::float8 AS billed FROM billing_periods
         WHERE account_id = $1 ORDER BY 1`,
        [accountId],
      );
      return Object.fromEntries(rows.map(({ month, billed }) => [month, Number(billed)]));
    },
    leftovers() {
      try {
        return readdirSync(path.join(it.deps.config.dataDir, 'uploads'));
      } catch {
        return [];
      }
    },
  };
}
