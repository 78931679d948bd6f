import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeS3 } from '../support/clouds/s3.ts';
import {
  costsIn,
  costsInFacts,
  deliverMonth,
  monthlyCosts,
  monthlyCostsOfFacts,
  restatedMonths,
  type MonthlyCosts,
  type MonthlyCostsOfFacts,
} from './restated-bill.ts';
import type { Context } from './attack.ts';
import type { Installation } from './installation.ts';

const pollMs = 100;
/** Longest time of a sync in milliseconds, with its own retries after crashes: they follow after 10 and 60 s. */
const syncMs = 300_000;

interface Account {
  readonly sync_status: string;
  readonly last_sync_error: string | null;
}

/** Restates a bill of two months again and again: the first comes from a local folder, the second from S3, so that a
 *  connector runs, or from the folder without S3. */
export class RestatedBill {
  /** Number of the latest delivery: the cost of each line item. */
  cost = 0;
  readonly lines: number;
  readonly #site: Installation;
  readonly #context: Context;
  readonly #s3: FakeS3 | null;
  readonly #accounts: string[] = [];
  /** Accounts whose sync the server has not yet accepted, because it was unavailable. */
  readonly #toSync = new Set<string>();

  constructor(context: Context, site: Installation, { lines, s3 = null }: { lines: number; s3?: FakeS3 | null }) {
    this.#context = context;
    this.#site = site;
    this.#s3 = s3;
    this.lines = lines;
  }

  /** Connects the accounts, and waits for their first delivery. */
  async connect(): Promise<void> {
    await this.#deliver();
    const folder = { name: 'Folder', provider: 'focus', settings: { path: 'export' } };
    const bucket = this.#s3 && {
      name: 'Bucket',
      provider: 'focus',
      credentials: { access_key_id: 'AKIAIOSFODNN7EXAMPLE', secret_access_key: 'x'.repeat(40) },
      settings: { bucket: 'bills', prefix: 'export', endpoint: this.#s3.url, region: 'us-east-1' },
    };
    for (const body of bucket ? [folder, bucket] : [folder])
      this.#accounts.push((await this.#site.must<{ id: string }>('/accounts', { method: 'POST', body })).id);
    await this.finish();
  }

  /** Delivers every month again, and starts the syncs. */
  async restate(): Promise<void> {
    await this.#deliver();
    for (const id of this.#accounts) this.#toSync.add(id);
    await this.syncNow();
  }

  async #deliver(): Promise<void> {
    this.cost += 1;
    for (const [index, month] of restatedMonths.entries()) {
      const isRemote = this.#s3 !== null && index > 0;
      const name = `${month}.parquet`;
      const file = path.join(this.#site.focusRoot, isRemote ? 'remote' : 'export', name);
      await deliverMonth(file, { month, cost: this.cost, lines: this.lines });
      if (isRemote) await this.#s3.put('bills', `export/${name}`, await readFile(file));
    }
  }

  /** Starts a sync of each account, or continues one that waits for its retry. */
  async syncNow(): Promise<void> {
    for (const id of this.#accounts) {
      const { status, text } = await this.#site.ask(`/accounts/${id}/sync`, { method: 'POST' });
      if (![0, 202, 503].includes(status)) throw new Error(`the sync was refused with ${status}: ${text}`);
      if (status === 202) this.#toSync.delete(id);
    }
  }

  /** Returns whether each sync has succeeded; null if the server is unavailable. Starts a failed one again. */
  async isSynced(): Promise<boolean | null> {
    if (this.#toSync.size > 0) await this.syncNow();
    let done = this.#toSync.size === 0;
    for (const id of this.#accounts) {
      const { status, body } = await this.#site.ask<Account>(`/accounts/${id}`);
      if (status !== 200) return null;
      if (/Unexpected error/.test(body.last_sync_error ?? ''))
        this.#context.findings.fault(`a sync does not name what stopped it: ${body.last_sync_error}`);
      if (body.sync_status === 'failed') await this.#site.ask(`/accounts/${id}/sync`, { method: 'POST' });
      done &&= body.sync_status === 'succeeded';
    }
    return done;
  }

  /** Polls, and expects each month to come wholly from this delivery or the one before, until the end of a period. */
  async watch(ms: number): Promise<void> {
    const end = performance.now() + ms;
    do {
      await this.checkMonths([this.cost - 1, this.cost]);
      await sleep(pollMs);
    } while (performance.now() < end);
  }

  /** Waits until the syncs have succeeded, and expects the sums of the latest delivery.
   *  @param isAided starts syncs again that wait for their retry */
  async finish(isAided = true): Promise<void> {
    const begun = performance.now();
    for (let polls = 0; (await this.isSynced()) !== true; polls++) {
      await this.checkMonths([this.cost - 1, this.cost]);
      if (performance.now() - begun > syncMs) throw new Error(`a sync did not end within ${syncMs / 1000} s`);
      if (isAided && polls % 20 === 19) await this.syncNow();
      await sleep(pollMs);
    }
    this.#context.findings.measure('completed syncs', performance.now() - begun);
    for (let polls = 0; !(await this.checkMonths([this.cost])); polls++) {
      if (polls > 100) throw new Error('costs cannot be read after a sync');
      await sleep(pollMs);
    }
  }

  /** Expects each month to come wholly from one of the deliveries, in rollups and in fact files.
   *  @returns false if one of them is unavailable */
  async checkMonths(deliveries: readonly number[]): Promise<boolean> {
    const rollups = await this.#site.ask<MonthlyCosts>(monthlyCosts);
    const facts = await this.#site.ask<MonthlyCostsOfFacts>(monthlyCostsOfFacts);
    const costs = [
      ...(rollups.status === 200 ? costsIn(rollups.body, this.lines) : []),
      ...(facts.status === 200 ? costsInFacts(facts.body, this.lines) : []),
    ];
    this.#context.findings.count('months read while they were restated', costs.length);
    for (const cost of costs)
      if (!deliveries.includes(cost))
        this.#context.findings.fault(`a month costs ${cost} per line item, of deliveries ${deliveries.join(' and ')}`);
    for (const { status, text } of [rollups, facts])
      if (![0, 200, 503].includes(status)) this.#context.findings.fault(`costs answered ${status}: ${text}`);
    return rollups.status === 200 && facts.status === 200;
  }
}
